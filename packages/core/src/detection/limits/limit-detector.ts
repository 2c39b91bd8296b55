import { quotation } from '../../common/excerpt.ts';
import type { JsonValue } from '../../common/json.ts';
import { type AdmissionRequest, outcomeOf } from '../../signal/request.ts';
import type { Signal, SignalKind } from '../../signal/signal.ts';
import type { AnalyzedSignal } from '../analyzed-signal.ts';
import type { Detector, Full, Gate, UnderWay } from '../detector.ts';
import type { Evidence, Finding } from '../finding.ts';
import type { Latest } from '../latest.ts';
import { countdown, type Left } from './countdown.ts';
import {
  type CheckedLimits,
  checkLimits,
  type DeclaredLimits,
  type LimitOptions,
} from './limit-options.ts';
import { LIMIT_REASONS, type LimitReason, polled, stopText } from './limit-reasons.ts';
import { isOfSteps, type Limit, limitsOf, RUN_TIME, toolLimit } from './limit-table.ts';
import { RunCounts } from './run-counts.ts';

/** A count that has reached its limit, and what is told of it. */
interface Reached {
  readonly subject: string;
  readonly count: number;
  readonly limit: number;
  readonly reason: LimitReason;
  /** Both without anything that was said. */
  readonly unquoted?: { readonly subject: string; readonly reason: LimitReason };
}

/** Trips when a limit that a user declared is reached, and refuses steps beyond it. */
export class LimitDetector implements Detector {
  readonly kind = 'limit';
  readonly #checked: CheckedLimits;
  readonly #counts: RunCounts;
  readonly #limits: readonly Limit[];

  /** @throws {@link InvalidOptionError} */
  constructor(options: LimitOptions & DeclaredLimits = {}) {
    this.#checked = checkLimits(options);
    this.#counts = new RunCounts(this.#checked);
    this.#limits = limitsOf(this.#checked, this.#counts);
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { signal, index } = step;
    const before = this.#checked.tellLimits ? this.#leftFor(signal) : undefined;
    this.#counts.add(step);
    const reached = this.#reached(step);
    const where = { agents: [signal.agent], indices: [index] };
    if (reached !== undefined) return findingOf(reached, where);
    return before && countdown(before, this.#leftFor(signal), where);
  }

  /** @internal */
  get gate(): Gate {
    return this;
  }

  /** @internal */
  get counted(): readonly SignalKind[] {
    const kinds = this.#limits.flatMap(({ of, after }) => (isOfSteps(of) ? after : []));
    return this.#checked.maxCalls.size > 0 ? [...kinds, 'tool-call'] : kinds;
  }

  /** @internal */
  full(request: AdmissionRequest, underWay: UnderWay): Full | undefined {
    const isOver = (this.remainingMs(request.at) ?? 0) < 0;
    const overtime = isOver ? this.overtime(request.at) : undefined;
    if (overtime !== undefined) return { finding: overtime, underWay: 0 };
    const kind = outcomeOf(request);
    const isInner = (request.depth ?? 0) > 0;
    for (const limit of this.#limitsFor(request)) {
      const { max, after, count, of } = limit;
      if (kind === undefined || !after.includes(kind)) continue;
      if (!isOfSteps(of) || (of === 'outermost steps' && isInner)) continue;
      const isStepOnly = of === 'calls of a tool';
      const held = isStepOnly ? underWay.heldOfTool(request) : underWay.held(after, request);
      const taken = count(request.at) + held;
      if (taken < max) continue;
      const where = { agents: [request.agent], indices: [] };
      const finding = findingOf({ ...limit, count: taken, limit: max }, where, held);
      return { finding, underWay: held, isStepOnly };
    }
    return undefined;
  }

  /** The latest events of the run. */
  get latest(): Omit<Latest, 'speakers'> {
    const { failures, exitCodes } = this.#counts.all;
    return { failuresInARow: failures, lastExitCode: exitCodes[0] };
  }

  /** Whether the run time is limited. */
  get isTimed(): boolean {
    return this.#checked.maxRunMs !== Number.POSITIVE_INFINITY;
  }

  /** Remaining run time at `now` in milliseconds; `undefined` without a limit or before the run starts. */
  remainingMs(now: number): number | undefined {
    if (!this.isTimed) return undefined;
    const runMs = this.#counts.runMs(now);
    return runMs === undefined ? undefined : this.#checked.maxRunMs - runMs;
  }

  /** The finding if the run has exceeded its time limit at `now`. */
  overtime(now: number): Finding | undefined {
    const remainingMs = this.remainingMs(now);
    if (remainingMs === undefined || remainingMs > 0) return undefined;
    const { maxRunMs: limit } = this.#checked;
    const reason = LIMIT_REASONS[RUN_TIME];
    const reached = { subject: RUN_TIME, reason, count: limit - remainingMs, limit };
    return findingOf(reached, { agents: [], indices: [] });
  }

  /** What the user has declared counts for the whole run. @internal */
  startAfresh(): void {}

  reset(): void {
    this.#counts.begin();
  }

  /** Resets the counts for a run that starts at `at`, by default with its first signal. */
  begin(at?: number): void {
    this.#counts.begin(at);
  }

  /** Takes a wait that ends at `at` off the run time. @internal */
  wait(ms: number, at: number): void {
    this.#counts.wait(ms, at);
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

  #leftFor(signal: Signal): readonly Left[] {
    return this.#limitsFor(signal)
      .filter(({ of }) => isOfSteps(of))
      .map(({ subject, unquoted, max, count }) => {
        return {
          things: [subject, unquoted?.subject ?? subject],
          max,
          left: max - count(signal.at),
        };
      });
  }

  #limitsFor(step: Signal | AdmissionRequest): readonly Limit[] {
    if (step.kind !== 'tool-call' || this.#checked.maxCalls.size === 0) return this.#limits;
    return [...this.#limits, toolLimit(this.#checked, this.#counts, step.tool)];
  }

  #reached({ signal, overdue }: AnalyzedSignal): Reached | undefined {
    if (overdue !== undefined) {
      const { tool, waitedMs: count, maxWaitMs: limit } = overdue;
      const subject = `ms of waiting for ${quotation(tool)}`;
      const unquoted = { subject: 'ms of waiting for a tool', reason: polled('a tool') };
      return { subject, count, limit, reason: polled(quotation(tool)), unquoted };
    }
    for (const one of this.#limitsFor(signal)) {
      const { max: limit, after, count: countAt, of } = one;
      if (!after.includes(signal.kind)) continue;
      const count = countAt(signal.at);
      const isAllowed = of === 'beyond' || of === 'calls of a tool';
      if (count > limit || (count === limit && !isAllowed)) return { ...one, count, limit };
    }
    if (signal.kind !== 'message') return undefined;
    const said = signal.text.trim();
    const declared = this.#checked.stopTexts.find(
      ({ text, from }) => text === said && (from?.includes(signal.agent) ?? true),
    );
    if (declared === undefined) return undefined;
    const shown = quotation(declared.text);
    const unquoted = { subject: 'a stop text', reason: stopText('a stop text') };
    const reason = stopText(`the stop text ${shown}`);
    return { subject: `stop text ${shown}`, count: 1, limit: 1, reason, unquoted };
  }
}

function findingOf(
  { subject, count, limit, reason, unquoted = { subject, reason } }: Reached,
  where: Pick<Evidence, 'agents' | 'indices'>,
  underWay = 0,
): Finding {
  const reached = { count, limit, underWay };
  return {
    level: 'trip',
    kind: 'limit',
    basis: 'declared',
    reason: reason(reached),
    evidence: { ...where, count, limit, subject },
    unquoted: { reason: unquoted.reason(reached), subject: unquoted.subject },
  };
}
