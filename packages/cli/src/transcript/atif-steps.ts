import { exitCodeOf } from '@teamfuse/wire/reading';
import { textOf } from './content.ts';
import type { Transcript } from './transcript.ts';
import { type Fields, fieldsOf, nameIn, recordsOf } from './values.ts';

/** A call of a step that has no result so far. */
interface StepCall {
  readonly id: string;
  readonly tool: string;
  readonly args: unknown;
  /** The command, if a shell was called. */
  readonly command: string | undefined;
}

/** Words in the names of functions that are shells. The format has no mark of its own for them. */
const SHELL = /(?:^|[^a-z])(?:bash|sh|shell|terminal|exec|execute|command|cmd)(?:[^a-z]|$)/;
const EXIT_CODES: readonly string[] = ['exit_code', 'exitCode', 'returncode', 'return_code'];
const MAX_DEPTH = 6;

/** Writes down steps of an ATIF trajectory: what was said, what was called, and what came of it. */
export class StepTeller {
  readonly #transcript: Transcript;
  readonly #agent: string;
  readonly #model: string | undefined;
  #isTask = true;

  constructor(transcript: Transcript, agent: Fields) {
    this.#transcript = transcript;
    this.#agent = nameIn(agent.name) ?? 'assistant';
    this.#model = nameIn(agent.model_name);
  }

  tell(step: Fields): void {
    const { source, message, timestamp } = step;
    if (source === 'system') return;
    const text = textOf(message);
    this.#transcript.next(timestamp);
    if (source === 'user') {
      this.#transcript.asked('user', text, this.#isTask);
      this.#isTask = false;
      return;
    }
    this.#isTask = false;
    this.#used(step);
    const calls = recordsOf(step.tool_calls).map(callOf);
    if (text !== '' || calls.length === 0) this.#transcript.said(this.#agent, text);
    this.#observed(step, calls);
  }

  /** Results name their calls, or stand in their order, or are one for all of them. */
  #observed(step: Fields, calls: readonly StepCall[]): void {
    // What a step notes beside its results can only be about a call that is alone.
    const note = calls.length === 1 ? step.extra : undefined;
    const waiting = new Map(calls.map((call, i) => [call.id || i, call]));
    const unnamed: Fields[] = [];
    for (const result of recordsOf(fieldsOf(step.observation)?.results)) {
      const call = waiting.get(nameIn(result.source_call_id) ?? '');
      if (call === undefined) unnamed.push(result);
      else {
        waiting.delete(call.id);
        this.#came([call], [result], note);
      }
    }
    const rest = [...waiting.values()];
    if (unnamed.length === rest.length) {
      for (const [i, call] of rest.entries()) this.#came([call], unnamed.slice(i, i + 1), note);
    } else if (unnamed.length > 0) this.#came(rest, unnamed, note);
  }

  /** What came of calls that were answered together: of commands as one run, or else of the first call. */
  #came(calls: readonly StepCall[], results: readonly Fields[], note: unknown): void {
    const output = results.map(({ content }) => textOf(content)).join('\n');
    const isError = results.some(({ extra }) => isFailure(extra));
    const commands = calls.flatMap(({ command }) => command ?? []);
    const [first] = calls;
    if (commands.length > 0) {
      const notes = results.map(({ content: _, ...rest }) => rest);
      const found = exitCodeIn([notes, note], MAX_DEPTH);
      const exitCode = exitCodeOf(found ?? (isError ? 1 : 0));
      this.#transcript.ranInShell(this.#agent, commands.join('\n'), { exitCode, output });
    } else if (first !== undefined) {
      const { id, tool, args } = first;
      this.#transcript.called(id, this.#agent, tool, args);
      this.#transcript.returned(id, output, { isError });
    } else if (output !== '') this.#transcript.said('environment', output);
  }

  #used({ metrics, model_name: model }: Fields): void {
    const fields = fieldsOf(metrics);
    if (fields === undefined) return;
    this.#transcript.used(this.#agent, {
      model: nameIn(model, this.#model),
      usage: { ...fields, cacheWriteTokens: fieldsOf(fields.extra)?.cache_creation_input_tokens },
      inputTokens: fields.prompt_tokens,
      outputTokens: fields.completion_tokens,
      costUsd: fields.cost_usd,
    });
  }
}

function callOf({ tool_call_id: id, function_name: name, arguments: args }: Fields): StepCall {
  const tool = nameIn(name) ?? '';
  const isShell = SHELL.test(tool.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase());
  return { id: nameIn(id) ?? '', tool, args, command: isShell ? commandIn(args) : undefined };
}

/** The command in the arguments of a shell: a text, or its words. */
function commandIn(args: unknown): string | undefined {
  const { command, cmd, keystrokes } = fieldsOf(args) ?? {};
  const given = command ?? cmd ?? keystrokes;
  const isWords = Array.isArray(given) && given.every((word) => typeof word === 'string');
  const text = isWords ? given.join(' ') : given;
  return typeof text === 'string' ? text.trim() : undefined;
}

/** Whether a producer has marked a result as failed. */
function isFailure(extra: unknown): boolean {
  const { is_error: isError, tool_result_is_error: isToolError } = fieldsOf(extra) ?? {};
  return isError === true || isToolError === true;
}

/** The exit code that a producer has put somewhere in the fields of its own. */
function exitCodeIn(value: unknown, depth: number): number | undefined {
  if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  const own = entries.find(
    ([name, code]) => EXIT_CODES.includes(name) && Number.isSafeInteger(code),
  );
  if (own !== undefined) return own[1] as number;
  for (const [, inner] of entries) {
    const found = exitCodeIn(inner, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
