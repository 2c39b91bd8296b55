import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Detector } from '../detector.ts';
import { quotation } from '../excerpt.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import type { Latest } from '../latest.ts';
import {
  type CheckedLimits,
  checkLimits,
  type DeclaredLimits,
  type LimitOptions,
} from './limit-options.ts';
import { RunCounts } from './run-counts.ts';

/** A count that has reached its limit. */
type Reached = readonly [subject: string, count: number, limit: number, unquoted?: string];

/** Trips when a limit that a user declared is reached. */
export class LimitDetector implements Detector {
  readonly kind = 'limit';
  readonly #limits: CheckedLimits;
  readonly #counts: RunCounts;

  /** @throws {@link InvalidOptionError} */
  constructor(options: LimitOptions & DeclaredLimits = {}) {
    this.#limits = checkLimits(options);
    this.#counts = new RunCounts(this.#limits);
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { signal, index } = step;
    this.#counts.add(step);
    const reached = this.#reached(step);
    if (reached === undefined) return undefined;
    const [subject, reachedCount, limit, unquoted = subject] = reached;
    const reasonOf = (what: string): string =>
      `the declared limit is reached: ${what}, ${reachedCount} of ${limit}`;
    return {
      level: 'trip',
      kind: this.kind,
      basis: 'declared',
      reason: reasonOf(subject),
      evidence: { agents: [signal.agent], indices: [index], count: reachedCount, limit, subject },
      unquoted: { reason: reasonOf(unquoted), subject: unquoted },
    };
  }

  /** The latest events of the run. */
  get latest(): Omit<Latest, 'speakers'> {
    const { failures, exitCodes } = this.#counts.all;
    return { failuresInARow: failures, lastExitCode: exitCodes[0] };
  }

  /** Whether the run time is limited. */
  get isTimed(): boolean {
    return this.#limits.maxRunMs !== Number.POSITIVE_INFINITY;
  }

  /** Remaining run time at `now` in milliseconds; `undefined` without a limit or before the run starts. */
  remainingMs(now: number): number | undefined {
    const runMs = this.#counts.runMs(now);
    return runMs === undefined || !this.isTimed ? undefined : this.#limits.maxRunMs - runMs;
  }

  /** The finding if the run has exceeded its time limit at `now`. */
  overtime(now: number): Finding | undefined {
    const remainingMs = this.remainingMs(now);
    if (remainingMs === undefined || remainingMs > 0) return undefined;
    const limit = this.#limits.maxRunMs;
    const count = limit - remainingMs;
    return {
      level: 'trip',
      kind: this.kind,
      basis: 'declared',
      reason: `the declared limit is reached: run time in ms, ${count} of ${limit}`,
      evidence: { agents: [], indices: [], count, limit, subject: 'run time in ms' },
    };
  }

  reset(): void {
    this.#counts.begin();
  }

  /** Resets the counts for a run that starts at `at`, by default with its first signal. */
  begin(at?: number): void {
    this.#counts.begin(at);
  }

  /** Starts the run at `at` unless it has started. */
  start(at: number): void {
    this.#counts.start(at);
  }

  snapshot(): JsonValue {
    return this.#counts.snapshot();
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: JsonValue): void {
    this.#counts.restore(snapshot);
  }

  #reached({ signal, overdue }: AnalyzedSignal): Reached | undefined {
    if (overdue !== undefined) {
      const { tool, waitedMs, maxWaitMs } = overdue;
      return [
        `ms of waiting for ${quotation(tool)}`,
        waitedMs,
        maxWaitMs,
        'ms of waiting for a tool',
      ];
    }
    const limits = this.#limits;
    const { messages, turns, modelCalls, toolCalls, failures } = this.#counts.all;
    const runMs = this.#counts.runMs(signal.at) ?? 0;
    if (runMs > limits.maxRunMs) return ['run time in ms', runMs, limits.maxRunMs];
    const history = this.#counts.historyTokens;
    if (history > limits.maxTokens) return ['tokens of history', history, limits.maxTokens];
    switch (signal.kind) {
      case 'usage': {
        if (modelCalls >= limits.maxModelCalls) {
          return ['number of model calls', modelCalls, limits.maxModelCalls];
        }
        const ratio = this.#counts.historyRatio;
        return ratio > limits.maxRatio ? ['history ratio', ratio, limits.maxRatio] : undefined;
      }
      case 'tool-call':
      case 'execution':
        if (toolCalls >= limits.maxToolCalls)
          return ['number of tool calls', toolCalls, limits.maxToolCalls];
        if (failures < limits.maxInARow) return undefined;
        return ['failures in a row', failures, limits.maxInARow];
      case 'message': {
        if (messages >= limits.maxMessages)
          return ['number of messages', messages, limits.maxMessages];
        if (turns >= limits.maxTurns) return ['number of turns', turns, limits.maxTurns];
        const { samePair } = limits;
        const times = this.#counts.samePairs;
        if (samePair !== undefined && times >= samePair.times) {
          const turns = `turns of the same pair${samePair.withoutNews ? ' without news' : ''}`;
          return [turns, times, samePair.times];
        }
        const said = signal.text.trim();
        const stopText = limits.stopTexts.find(
          (one) => one.text === said && (one.from?.includes(signal.agent) ?? true),
        );
        return stopText && [`stop text ${quotation(stopText.text)}`, 1, 1, 'a stop text'];
      }
      default:
        return undefined;
    }
  }
}
