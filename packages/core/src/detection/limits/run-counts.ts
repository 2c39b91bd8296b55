import { InvalidSnapshotError } from '../../common/errors.ts';
import { hashText } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import { isRefusedCall } from '../../signal/request.ts';
import { type Codec, count, list, nullable, number, record, text } from '../../state/codec.ts';
import { RecentMap } from '../../state/stateful.ts';
import { type AnalyzedSignal, isGivenUp } from '../analyzed-signal.ts';
import { MAX_WINDOW } from '../detectors/speaker-cycle.ts';
import type { CheckedLimits } from './limit-options.ts';

/** The last valid date. */
const LAST_MOMENT = 8.64e15;

/** Most tools whose calls are counted by themselves. */
const MAX_TOOLS = 1_000;

interface Counts {
  messages: number;
  turns: number;
  modelCalls: number;
  toolCalls: number;
  /** Consecutive failures. */
  failures: number;
  /** The exit code of the latest run of code, if any. */
  exitCodes: readonly (number | null)[];
  /** Estimated tokens of the conversation. */
  tokens: number;
  /** Size of the latest prompt; 0 if none is known. */
  prompt: number;
  speakers: readonly string[];
  startedAt: number | null;
  waitedMs: number;
}

const WAIT: Codec<number> = {
  write: (ms) => ms,
  read: (path, json) => {
    const ms = number.read(path, json);
    if (ms >= 0 && ms <= LAST_MOMENT) return ms;
    throw new InvalidSnapshotError(path, `milliseconds from 0 to ${LAST_MOMENT}`, json);
  },
};

const COUNTS = record<Counts>({
  messages: count,
  turns: count,
  modelCalls: count,
  toolCalls: count,
  failures: count,
  exitCodes: list(nullable(number), 1),
  tokens: number,
  prompt: number,
  speakers: list(text, MAX_WINDOW),
  startedAt: nullable(number),
  waitedMs: WAIT,
});

/** The counts of a run. */
export class RunCounts {
  readonly #windowTurns: number;
  readonly #countsTools: boolean;
  /** The calls of each tool, by the hash of its name. */
  readonly #tools: RecentMap<number, number> = new RecentMap(MAX_TOOLS, number, count);
  #counts: Counts;

  constructor({ samePair, maxCalls }: CheckedLimits) {
    this.#windowTurns = samePair?.windowTurns ?? 0;
    this.#countsTools = maxCalls.size > 0;
    this.#counts = none();
  }

  get all(): Readonly<Counts> {
    return this.#counts;
  }

  /** Resets the counts for a run that starts at `at`, by default with its first signal. */
  begin(at: number | null = null): void {
    this.#counts = { ...none(), startedAt: at };
    this.#tools.clear();
  }

  /** Starts the run at `at` unless it has started. */
  start(at: number): void {
    this.#counts.startedAt ??= at;
  }

  add({ signal, failure, tokens }: AnalyzedSignal): void {
    const counts = this.#counts;
    counts.startedAt ??= signal.at;
    counts.tokens += tokens;
    switch (signal.kind) {
      case 'human-input':
        this.wait(signal.waitedMs ?? 0, signal.at);
        return;
      case 'message':
        counts.messages++;
        if ((signal.depth ?? 0) === 0) counts.turns++;
        if (this.#windowTurns > 0) {
          counts.speakers = [...counts.speakers, signal.agent].slice(-this.#windowTurns);
        }
        return;
      case 'tool-call':
      case 'execution':
        if (isRefusedCall(signal)) return;
        counts.toolCalls++;
        if (signal.kind === 'tool-call' && this.#countsTools)
          this.#tools.set(hashText(signal.tool), this.callsOf(signal.tool) + 1);
        if (isGivenUp(signal)) return;
        counts.failures = failure === undefined ? 0 : counts.failures + 1;
        if (signal.kind === 'execution') counts.exitCodes = [signal.exitCode];
        return;
      case 'usage':
        // A call that was refused or given up before it was made reports so.
        if (signal.error?.code === 'TRIPPED') return;
        counts.modelCalls++;
        if (signal.inputTokens > 0) counts.prompt = signal.inputTokens;
        return;
      default:
    }
  }

  /** Takes a wait that ends at `at` off the time of the run. */
  wait(ms: number, at: number): void {
    const counts = this.#counts;
    if (counts.startedAt === null) return;
    // It may have started before the run or overlap another: it counts at most the time passed.
    counts.waitedMs += Math.min(ms, Math.max(0, at - counts.startedAt - counts.waitedMs));
  }

  /** Milliseconds of the run at `now`, without waits; `undefined` before it starts. */
  runMs(now: number): number | undefined {
    const { startedAt, waitedMs } = this.#counts;
    return startedAt === null ? undefined : now - startedAt - waitedMs;
  }

  callsOf(tool: string): number {
    return this.#tools.get(hashText(tool)) ?? 0;
  }

  /** Tokens of the latest prompt, or of the conversation if no usage is reported. */
  get historyTokens(): number {
    return this.#counts.prompt || this.#counts.tokens;
  }

  /** The latest two speakers. */
  get pair(): readonly [from: string, to: string] {
    const [from = '', to = from] = this.#counts.speakers.slice(-2);
    return [from, to];
  }

  /** How often that pair occurs among the latest turns. */
  get samePairs(): number {
    const { speakers } = this.#counts;
    const [from, to] = this.pair;
    if (from === to) return 0;
    return speakers.filter((speaker, i) => speaker === from && speakers[i + 1] === to).length;
  }

  snapshot(): JsonValue {
    const counts = COUNTS.write(this.#counts);
    return this.#countsTools ? { ...Object(counts), tools: this.#tools.snapshot() } : counts;
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    const counts = COUNTS.read('limit', snapshot);
    if (counts.startedAt === null && counts.waitedMs > 0) {
      const expected = '0 in a run that has not started';
      throw new InvalidSnapshotError('limit.waitedMs', expected, counts.waitedMs);
    }
    const { tools = [] } = Object(snapshot);
    this.#tools.restore('limit.tools', tools);
    this.#counts = { ...counts };
  }
}

function none(): Counts {
  return {
    messages: 0,
    turns: 0,
    modelCalls: 0,
    toolCalls: 0,
    failures: 0,
    exitCodes: [],
    tokens: 0,
    prompt: 0,
    speakers: [],
    startedAt: null,
    waitedMs: 0,
  };
}
