import { exitCodeOf, type ReportedRun } from '@teamfuse/wire/reading';
import { type BlockMarks, commandBlocks, marksIn, withoutBlocks } from './command-blocks.ts';
import { textOf } from './content.ts';
import { ObservationReader } from './observations.ts';
import type { Transcript } from './transcript.ts';
import { type Fields, fieldsOf, nameIn, parsedJson, recordsOf } from './values.ts';

/** A command without an answer so far. */
interface Command {
  readonly id: string | undefined;
  readonly agent: string;
  readonly code: string;
}

const AGENT = 'assistant';
const PERSON = 'user';
/** What the recorder writes as the exception of a command that it did not run. */
const NOT_RUN = 'action was not executed';
const SUBMITTED = 'Submitted';

/**
 * Writes down messages of mini-SWE-agent. Since its version 2 they say in `extra` which commands were run and what came of
 * them; before that, the text alone does.
 */
export class MiniSweTeller {
  readonly #transcript: Transcript;
  readonly #info: Fields;
  readonly #observations: ObservationReader;
  readonly #marks: readonly BlockMarks[];
  readonly #model: string | undefined;
  /** Whether a person could cut in: only agents that ask before a command are told which need no asking. */
  readonly #isWatched: boolean;
  #commands: Command[] = [];
  #isTask = true;

  /** @param info what the trajectory says of the run as a whole. */
  constructor(transcript: Transcript, info: Fields) {
    this.#transcript = transcript;
    this.#info = info;
    const config = fieldsOf(info.config) ?? {};
    const { agent, model } = config;
    this.#observations = new ObservationReader(config);
    this.#marks = marksIn(nameIn(fieldsOf(agent)?.action_regex, fieldsOf(model)?.action_regex));
    this.#model = nameIn(fieldsOf(model)?.model_name);
    this.#isWatched = fieldsOf(agent)?.whitelist_actions !== undefined;
  }

  tell(message: Fields, isLast: boolean): void {
    const { role, type } = message;
    if (role === 'system' || role === 'developer') return;
    const extra = fieldsOf(message.extra) ?? {};
    this.#transcript.next(timeOf(message));
    if (role === 'exit') this.#ended(textOf(message.content), extra.exit_status);
    else if (isCommanding(message, extra)) this.#commanded(message, extra);
    else if (role === 'tool' || type === 'function_call_output' || 'returncode' in extra) {
      this.#answered(message, extra);
    } else this.#told(textOf(message.content), extra, isLast);
  }

  #commanded(message: Fields, extra: Fields): void {
    const content = contentOf(message);
    const blocks = commandBlocks(content, this.#marks);
    const calls = callsIn(message, extra);
    const inText = blocks.length === 1 ? blocks : [];
    const commands = calls.length > 0 ? calls : inText.map(({ command: code }) => ({ code }));
    const isPerson = message.role === 'user';
    const agent = isPerson ? PERSON : AGENT;
    this.#isTask = false;
    this.#commands = commands.map((command) => ({ id: undefined, agent, ...command }));
    if (isPerson) {
      this.#transcript.asked(PERSON, content);
      return;
    }
    this.#used(fieldsOf(extra.response) ?? message, extra.cost);
    const said = withoutBlocks(
      content,
      blocks.filter(({ command }) => commands.some(({ code }) => code.trim() === command)),
    );
    if (said !== '' || commands.length === 0) this.#transcript.said(AGENT, said);
  }

  #answered(message: Fields, extra: Fields): void {
    if (extra.exception_info === NOT_RUN) return;
    const text = textOf(message.content ?? message.output);
    const told = this.#observations.read(text) ?? { exitCode: 0, output: text };
    this.#ran('returncode' in extra ? recordedRun(extra, told.output) : told, message);
  }

  /** What a message of the user's role says, to whom it may concern: a task, an answer, or what a person adds. */
  #told(text: string, extra: Fields, isLast: boolean): void {
    const interrupt = nameIn(extra.interrupt_type);
    const run = this.#commands.length > 0 ? this.#observations.read(text) : undefined;
    if (this.#isTask) {
      this.#isTask = false;
      this.#transcript.asked(PERSON, text, true);
    } else if (interrupt !== undefined) this.#interrupted(text, interrupt, extra);
    else if (run !== undefined) this.#ran(run);
    else if (isLast && nameIn(this.#info.exit_status)) this.#ended(text, this.#info.exit_status);
    else if (this.#commands.length === 0) this.#transcript.said(PERSON, text);
    else if (this.#isWatched) this.#transcript.asked(PERSON, text);
    else this.#ran({ exitCode: 0, output: text });
  }

  /** A person has cut in, or what the model wrote holds no command: then it stands here alone. */
  #interrupted(text: string, interrupt: string, extra: Fields): void {
    if (interrupt.startsWith('User')) {
      this.#transcript.asked(PERSON, text);
      return;
    }
    this.#used(fieldsOf(extra.response) ?? {}, extra.cost);
    const reply = nameIn(extra.model_response);
    if (reply !== undefined) this.#transcript.said(AGENT, reply);
    this.#transcript.said(PERSON, text);
  }

  /** The end of the run, which nobody says. What is submitted is the answer to the last command. */
  #ended(text: string, status: unknown): void {
    const isAnswer = status === SUBMITTED && this.#commands.length > 0;
    if (isAnswer) this.#ran({ exitCode: 0, output: text });
  }

  #ran(run: ReportedRun, answer: Fields = {}): void {
    const id = nameIn(answer.tool_call_id, answer.call_id);
    const named = this.#commands.findIndex(
      (command) => command.id !== undefined && command.id === id,
    );
    const [command] = this.#commands.splice(Math.max(named, 0), 1);
    this.#transcript.ranInShell(command?.agent ?? AGENT, command?.code ?? '', run);
  }

  /** A cost of 0 means that it was unknown. */
  #used({ usage, model }: Fields, cost: unknown): void {
    const tokens = fieldsOf(usage);
    if (tokens === undefined && !cost) return;
    this.#transcript.used(AGENT, {
      model: nameIn(model, this.#model),
      usage: tokens,
      inputTokens: tokens?.prompt_tokens ?? tokens?.input_tokens,
      outputTokens: tokens?.completion_tokens ?? tokens?.output_tokens,
      costUsd: cost || undefined,
    });
  }
}

/** When a message was written, in milliseconds; the record has seconds. */
export function timeOf(message: Fields): number | undefined {
  const seconds = fieldsOf(message.extra)?.timestamp;
  return typeof seconds === 'number' ? seconds * 1000 : undefined;
}

/** Whether it is the model's turn, or a person who types commands in its place. */
function isCommanding({ role, object }: Fields, { actions }: Fields): boolean {
  return role === 'assistant' || object === 'response' || recordsOf(actions).length > 0;
}

/** The text of a message, or of a response of the Responses shape. */
function contentOf({ content, object, output }: Fields): string {
  if (object !== 'response') return textOf(content);
  const messages = recordsOf(output).filter(({ type }) => type === 'message');
  return messages.map((item) => textOf(item.content)).join('\n');
}

/** The commands of a message that stand in fields of their own. */
function callsIn(message: Fields, { actions }: Fields): { id: string | undefined; code: string }[] {
  const recorded = recordsOf(actions).map(({ tool_call_id: id, command }) => ({ id, command }));
  const calls = [...recordsOf(message.tool_calls), ...recordsOf(message.output)].map((call) => {
    const args = fieldsOf(call.function)?.arguments ?? call.arguments;
    return { id: call.call_id ?? call.id, command: fieldsOf(parsedJson(args))?.command };
  });
  return (recorded.length > 0 ? recorded : calls).flatMap(({ id, command }) =>
    typeof command === 'string' ? [{ id: nameIn(id), code: command }] : [],
  );
}

/** What a command came to, by the fields of its answer. */
function recordedRun(extra: Fields, told: string): ReportedRun {
  const { returncode, raw_output: raw, exception_info: problem, exception_type: type } = extra;
  const output = typeof raw === 'string' ? raw : told;
  const timedOut = nameIn(type)?.includes('Timeout') === true;
  return {
    exitCode: exitCodeOf(returncode),
    output: [output, nameIn(problem)].filter(Boolean).join('\n'),
    ...(timedOut && { timedOut }),
  };
}
