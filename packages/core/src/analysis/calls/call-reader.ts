import type { JsonValue } from '../../json.ts';
import {
  ASKED_WORDS,
  HALF_STALE,
  RESULT_WORDS,
  RICH_FIGURES,
  RICH_WORDS,
} from '../../judgement.ts';
import type { ExecutionSignal, ToolCallSignal } from '../../signal/signal.ts';
import type { SignalFeatures } from '../analyzed-signal.ts';
import { readOutcome } from '../failures/failure.ts';
import { hashText, mixHash } from '../hash.ts';
import type { Memory } from '../memory.ts';
import { estimateTokens } from '../token-estimate.ts';
import type { CheckedTool } from './tool-options.ts';

const RUN = 1;
const RESULT = 2;
/** What was read of a call or run, beside the measures. */
export interface CallReading extends SignalFeatures {
  /** Equal for the very same call or code, whatever came back. */
  readonly command: number;
  /** Roughly how many tokens it adds to the history. */
  readonly tokens: number;
}

/** How a text or JSON is told from others: by all of it, without numbers, or without digits. */
interface Fingerprints {
  readonly exact: number;
  readonly frame: number;
  readonly shape: number;
}

/** What is asked of a tool, or what is run. */
interface Ask {
  readonly channel: number;
  readonly command: number;
  /** New names and numbers, and the news in all, in words. */
  readonly figures: number;
  readonly words: number;
  readonly weight: number;
  /** Whether anything but digits in it is new. */
  readonly isNewShape: boolean;
  /** Whether it is one of the latest asks with something else in one place. */
  readonly isItem: boolean;
}

/** What came back. */
interface Result {
  /** Equal for the same result; for one that differs in numbers only, as long as they are counters and ids. */
  readonly hash: number;
  /** Equal for the same result, to the digit. */
  readonly exact: number;
  readonly isNew: boolean;
  readonly isRich: boolean;
}

/** Reads calls and runs: by what was asked and, above all, by what came back. */
export class CallReader {
  readonly #memory: Memory;
  readonly #tools: ReadonlyMap<string, CheckedTool>;
  readonly #volatileFields: ReadonlySet<string>;

  constructor(
    memory: Memory,
    tools: ReadonlyMap<string, CheckedTool>,
    volatileFields: readonly string[],
  ) {
    this.#memory = memory;
    this.#tools = tools;
    this.#volatileFields = new Set(volatileFields);
  }

  /** Reads a tool call. */
  readCall(signal: ToolCallSignal): CallReading {
    const { json, reader } = this.#memory;
    const declared = this.#tools.get(signal.tool);
    const ignored = declared?.volatileFields ?? this.#volatileFields;
    const channel = hashText(signal.tool);
    const loopKey = declared?.loopKey?.(signal.args);
    // Whatever that function of the user's did: it may have had another conversation read something.
    reader.clear();
    json.read(loopKey ?? signal.args, ignored);
    let tokens = loopKey === undefined ? json.tokens : estimateTokens(JSON.stringify(signal.args));
    const isItem = this.#memory.agent(`${signal.agent} ${signal.tool}`).isItem(reader, true);
    const ask = this.#ask(channel, json, isItem);
    reader.clear();
    json.read(withoutEcho(signal.result ?? signal.error?.message ?? null, signal.args), ignored);
    tokens += json.tokens;
    const result = this.#result(ask, json.exact, json.shape);
    return { ...this.#compare(signal, signal.tool, ask, result), command: ask.command, tokens };
  }

  /** Reads a run of code. */
  readRun(signal: ExecutionSignal): CallReading {
    const { reader } = this.#memory;
    reader.read(signal.code);
    const channel = mixHash(RUN, hashText(signal.language));
    const ask = this.#ask(channel, reader, false);
    reader.clear();
    reader.read(signal.output);
    const result = this.#result(ask, reader.exact, reader.shape);
    const tokens = estimateTokens(signal.output);
    return { ...this.#compare(signal, signal.language, ask, result), command: ask.command, tokens };
  }

  /** What is new in what the reader holds: for the tool, even if it was talked about before. */
  #ask(channel: number, { exact, frame, shape }: Fingerprints, isItem: boolean): Ask {
    const { reader, values, sketch } = this.#memory;
    const { numbers } = reader;
    const change = numbers.length > 0 ? values.change(mixHash(channel, frame), numbers) : 'same';
    const isCounting = change === 'counting';
    sketch.draw(reader);
    const isNewShape = this.#memory.isNewAsk(mixHash(channel, shape));
    const { words, figures, weight } = this.#memory.take(channel | 0);
    const ask = {
      channel,
      command: mixHash(channel, isCounting ? frame : exact),
      words,
      figures: isCounting ? 0 : figures,
      weight: isCounting ? words : weight,
      isNewShape,
      isItem: isItem && !isCounting,
    };
    this.#memory.take();
    return ask;
  }

  #result({ command }: Ask, exact: number, shape: number): Result {
    const { reader, values } = this.#memory;
    const answer = this.#memory.take();
    const key = mixHash(mixHash(command, shape), RESULT);
    const change = reader.figures.length > 0 ? values.change(key, reader.figures) : 'same';
    return {
      hash: change === 'counting' ? shape : exact,
      exact,
      isNew: change === 'moved' || answer.weight >= RESULT_WORDS,
      isRich: answer.content >= RICH_WORDS || answer.allFigures >= RICH_FIGURES,
    };
  }

  #compare(
    signal: ToolCallSignal | ExecutionSignal,
    subject: string,
    ask: Ask,
    result: Result,
  ): SignalFeatures {
    const memory = this.#memory;
    const { index, sketch } = memory;
    const author = memory.agent(signal.agent);
    const isUntrusted = this.#tools.get(subject)?.isUntrusted === true;
    const outcome = readOutcome(signal, ask.command, isUntrusted);
    const { failure } = outcome;
    const key = mixHash(ask.command, result.hash);
    const { earlier, match, sameness, recurrence, lastKey, hasSameOutcome } =
      author.history.compare(
        {
          index,
          channel: ask.channel,
          key,
          ask: ask.command,
          outcome: mixHash(result.exact, ask.channel),
          isSameByOutcome: failure === undefined && result.isRich,
          isWordy: false,
          sketch,
        },
        Math.max(author.newResultAt, memory.waitedAt, memory.changedAt),
      );
    let staleness: number;
    if (failure) staleness = failure.isRefusal ? 1 : memory.failureStaleness(failure);
    else if (earlier.length > 0) staleness = 1;
    else if (result.isNew || (lastKey !== 0 && lastKey !== key)) staleness = 0;
    else staleness = result.isRich && hasSameOutcome ? HALF_STALE : acknowledged(ask);
    if (staleness < HALF_STALE && failure === undefined) {
      author.newResultAt = index;
      if (result.isNew) memory.resultAt = index;
    }
    if (failure === undefined && !result.isRich && ask.isNewShape) memory.changedAt = index;
    const type = signal.kind === 'execution' ? 'ran' : 'called';
    return {
      action: { type, key, subject, earlier, match, isTiny: false },
      staleness,
      sameness,
      recurrence,
      hasFact: failure === undefined,
      ...outcome,
    };
  }
}

/** How stale a call is that was only acknowledged. */
function acknowledged({ weight, isItem, isNewShape }: Ask): number {
  const most = isNewShape ? HALF_STALE : 1;
  return isItem ? 0 : Math.max(0, Math.min(most, 1 - weight / ASKED_WORDS));
}

/** A result without the fields that only say again what was asked. */
function withoutEcho(result: JsonValue, args: JsonValue): JsonValue {
  if (!isRecord(result) || !isRecord(args)) return result;
  if (!Object.keys(result).some((name) => result[name] === args[name])) return result;
  return Object.fromEntries(Object.entries(result).filter(([name, value]) => value !== args[name]));
}

function isRecord(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
