import { readUsage, type Signal } from '@teamfuse/core';
import { BoundedMap, type JsonValue } from '@teamfuse/core/kit';
import { type ReportedRun, readRun, type ShownCode, shownCode } from '@teamfuse/wire/reading';
import { textOf } from './content.ts';
import { countOf, parsedJson } from './values.ts';

/** A tool call without a result so far. */
interface Call {
  readonly agent: string;
  readonly tool: string;
  readonly args: JsonValue;
}

/** What is known about a result apart from its text. */
export interface RecordedResult {
  readonly isError?: boolean;
  /** Who called, if the call itself was not recorded. */
  readonly agent?: string;
  readonly tool?: string;
}

/** What a model call took, as recorded. */
export interface RecordedUsage {
  readonly model?: string | undefined;
  /** What `readUsage` reads. Where it cannot, each count is taken as far as it is known. */
  readonly usage?: unknown;
  readonly inputTokens?: unknown;
  readonly outputTokens?: unknown;
  /** Identifies the call, of which several steps may be recorded. */
  readonly requestId?: string | undefined;
  /** US dollars; missing if they were not recorded. */
  readonly costUsd?: unknown;
}

/** Recordings rarely say when: turns are taken to follow each other at this distance. */
export const TURN_MS = 2000;
/** The model's name where none was recorded. */
export const UNKNOWN_MODEL = 'unknown';
const MAX_CALLS = 1024;

/** Writes down a recorded conversation as signals, in the order in which it is told. */
export class Transcript {
  #signals: Signal[] = [];
  #at = 0;
  #isBegun = false;
  readonly #calls: BoundedMap<string, Call> = new BoundedMap(MAX_CALLS);
  #code: ShownCode = { language: '', code: '' };
  /** The latest model call. */
  #call: { readonly requestId: string | undefined; readonly tokens: number } | undefined;

  /** The signals so far, which it forgets. */
  take(): readonly Signal[] {
    const signals = this.#signals;
    this.#signals = [];
    return signals;
  }

  /** Begins the next turn, at a recorded time if there is one: milliseconds, or a text that `Date` reads. */
  next(time?: unknown): void {
    const ms = typeof time === 'string' ? Date.parse(time) : time;
    const isTime = typeof ms === 'number' && Number.isFinite(ms) && ms >= 0;
    const usual = this.#isBegun ? this.#at + TURN_MS : this.#at;
    this.#at = isTime ? Math.max(this.#at, ms) : usual;
    this.#isBegun = true;
  }

  /** A message, or the report of the code that was last shown. */
  said(agent: string, text: string, to?: string): void {
    const run = readRun(text);
    if (run !== undefined) {
      this.#add({ kind: 'execution', at: this.#at, agent, ...this.#code, ...run });
      return;
    }
    this.#code = shownCode(text) ?? this.#code;
    this.#add({ kind: 'message', at: this.#at, agent, text, ...(to && { to }) });
  }

  /** What a person said; or code, such as a task. */
  asked(agent: string, text: string, isAutomatic = false): void {
    const automatic = isAutomatic ? { isAutomatic } : {};
    this.#add({ kind: 'human-input', at: this.#at, agent, text, ...automatic });
  }

  /** Notes a call until its result comes. `args` may be JSON in a text. */
  called(id: string, agent: string, tool: string, args: unknown): void {
    this.#calls.set(id, { agent, tool: tool || 'unknown', args: parsedJson(args) });
  }

  /** The result of a call. One that nobody noted is a call of `agent` without known arguments. */
  returned(
    id: string,
    result: unknown,
    { isError = false, agent = 'assistant', tool = 'unknown' }: RecordedResult = {},
  ): void {
    const call = this.#calls.get(id) ?? { agent, tool, args: null };
    this.#calls.delete(id);
    const outcome = isError
      ? { error: { message: textOf(result) } }
      : { result: parsedJson(result) };
    this.#add({ kind: 'tool-call', at: this.#at, ...call, ...(id && { callId: id }), ...outcome });
  }

  /** A run of code with a known exit code. */
  ran(agent: string, exitCode: number | null, output: string, code?: string): void {
    const shown = code === undefined ? this.#code : { language: this.#code.language, code };
    this.#add({ kind: 'execution', at: this.#at, agent, ...shown, exitCode, output });
  }

  /** A shell command, and what came of it. */
  ranInShell(agent: string, code: string, run: ReportedRun): void {
    this.#add({ kind: 'execution', at: this.#at, agent, language: 'sh', code, ...run });
  }

  /** The code that is run next. */
  showsCode(language: string, code: string): void {
    this.#code = { language: language.toLowerCase(), code };
  }

  handedOff(agent: string, to: string, text?: string): void {
    this.#add({ kind: 'handoff', at: this.#at, agent, to, ...(text && { text }) });
  }

  selected(agent: string, chosen: string): void {
    this.#add({ kind: 'selection', at: this.#at, agent, chosen });
  }

  /** A model call. It stands before what it produced. Of one that stands at each of its steps, what is not new is left out. */
  used(
    agent: string,
    { model = UNKNOWN_MODEL, usage, requestId, ...recorded }: RecordedUsage,
  ): void {
    const { responseModel: _, costUsd: told, ...read } = readUsage({ usage }) ?? {};
    const costUsd = recorded.costUsd ?? told;
    const isCost = typeof costUsd === 'number' && Number.isFinite(costUsd) && costUsd >= 0;
    const tokens = {
      inputTokens: countOf(recorded.inputTokens),
      outputTokens: countOf(recorded.outputTokens),
      ...read,
    };
    const call = { requestId, tokens: tokens.inputTokens + tokens.outputTokens };
    const isKnown = requestId !== undefined && requestId === this.#call?.requestId;
    if (isKnown && call.tokens <= (this.#call?.tokens ?? 0)) return;
    this.#call = call;
    this.#add({
      kind: 'usage',
      at: this.#at,
      agent,
      model,
      ...(requestId && { requestId }),
      ...tokens,
      costUsd: isCost ? costUsd : null,
    });
  }

  #add(signal: Signal): void {
    this.#signals.push(signal);
  }
}
