import { named } from '../../common/excerpt.ts';
import type { JsonValue } from '../../common/json.ts';
import { type OptionTable, readOptions } from '../../common/option-table.ts';
import { orInvalid } from '../../common/options.ts';
import { counted, duration, times } from '../../common/words.ts';
import { type AdmissionRequest, isRefusedCall, outcomeOf } from '../../signal/request.ts';
import type { Signal, SignalKind } from '../../signal/signal.ts';
import { SIGNAL_KINDS } from '../../signal/signal-fields.ts';
import { count, list, number, pair } from '../../state/codec.ts';
import { RecentMap, Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import { type AnalyzedSignal, askerOf, type Failure, type Success } from '../analyzed-signal.ts';
import type { Full, Gate, UnderWay } from '../detector.ts';
import type { Finding } from '../finding.ts';
import { BuiltInDetector, type DetectorSpec, NORMAL, type Setting } from './built-in-detector.ts';
import { describeFailure } from './describe-failure.ts';
import { RefusedCalls } from './refused-calls.ts';
import { isSideBySide, isThought, MAX_INDICES, ROW, type Row, rowKey } from './tries.ts';

/** Options of {@link RateDetector}. */
export interface RateOptions {
  /**
   * How many consecutive failures of a call, or with the same error, trip if each retry follows
   * without a pause and without a model in between, or if a service turns the same call away each
   * time and the pauses do not grow. Calls that were sent side by side count as one.
   * @defaultValue 5
   */
  readonly limit?: number;
  /**
   * Milliseconds after a failure within which a retry counts as made without a pause.
   * @defaultValue 1000
   */
  readonly pauseMs?: number;
  /**
   * How many consecutive refusals trip; half as many if the same step is retried, unless after
   * longer and longer pauses. Those of the breaker count where their agent does nothing else.
   * @defaultValue 20
   */
  readonly refusals?: number;
  /** Declared rates that must not be exceeded. Turns, calls and runs count from their admission on. */
  readonly rates?: readonly DeclaredRate[];
}

/** At most `max` signals of one kind within any `perMs` milliseconds. */
export interface DeclaredRate {
  /** The kind of signals to count. */
  readonly signal: SignalKind;
  /** The most that may occur within `perMs`. */
  readonly max: number;
  /** The length of the window, in milliseconds. */
  readonly perMs: number;
}

type Latest = (readonly [at: number, index: number])[];

const IMPATIENT = 'without waiting longer although it was refused each time';
/** What the signals of a declared rate are, in reasons. */
const NOUNS: Readonly<Record<SignalKind, string>> = {
  message: 'message',
  'tool-call': 'tool call',
  execution: 'code run',
  'model-request': 'model request',
  usage: 'model call',
  handoff: 'handoff',
  'nested-start': 'nested chat',
  'nested-end': 'finished nested chat',
  'human-input': 'human input',
  selection: 'speaker selection',
  notice: 'notice',
};
const MAX_ROWS = 128;
const MAX_RATE = 10_000;
/** Most signals in the evidence of a declared rate. */
const MAX_SHOWN = 20;
const LATEST = list(list(pair(number, count)));

const RATE_TABLE: OptionTable<DeclaredRate> = {
  signal: { type: 'choice', values: SIGNAL_KINDS, isRequired: true },
  max: { type: 'integer', min: 0, max: MAX_RATE, isRequired: true },
  perMs: { type: 'number', min: 1, isRequired: true },
};

export const RATE: DetectorSpec<RateOptions, 'rates'> = {
  name: 'rate',
  kind: 'rate',
  meaning: 'Steps follow each other faster than they should.',
  advice:
    'If this pace is intended, lower {pauseMs}, raise {limit} or {refusals}, or raise the declared rate in rate.rates.',
  progress: 'to wait before the next try, or to do something else',
  options: {
    limit: { type: 'integer', min: 2, max: MAX_INDICES, default: 5, isScaled: true },
    pauseMs: { type: 'number', min: 0, default: 1000 },
    refusals: { type: 'integer', min: 2, max: MAX_INDICES, default: 20, isScaled: true },
    rates: { type: 'tables', documentedBy: 'DeclaredRate', of: RATE_TABLE },
  },
};

/**
 * Trips when a failing step is retried without a pause, when steps are refused over and over, or when a declared rate is
 * exceeded.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new RateDetector({ rates: [{ signal: 'message', max: 1, perMs: 1000 }] });
 * const say = (at: number) =>
 *   detector.observe(analyzer.observe({ kind: 'message', at, agent: 'bot', text: `${at}` }))?.kind;
 * say(0); // => undefined
 * say(1000); // => undefined
 * say(1500); // => 'rate'
 * ```
 */
export class RateDetector extends BuiltInDetector<RateOptions, 'rates'> {
  readonly kind = 'rate';
  readonly #rows: RecentMap<number, Row> = new RecentMap(MAX_ROWS, number, ROW);
  /** Index of the latest signal of somebody who may have thought. */
  readonly #thoughtAt = new Saved<number>(count, () => 0);
  readonly #refused: RefusedCalls = new RefusedCalls();
  protected readonly memory: Stateful = new SavedGroup({
    rows: this.#rows,
    refused: this.#refused,
    thoughtAt: this.#thoughtAt,
  });
  readonly #rates: readonly DeclaredRate[];
  /** Time and index of the latest signals of each declared rate. */
  #latest: Latest[];

  /** @throws {@link InvalidOptionError} */
  constructor(options: RateOptions = {}, { factor }: Setting = NORMAL) {
    super(RATE, options, factor);
    const { rates = [] } = this.options;
    const expected = 'an array of declared rates';
    this.#rates = orInvalid('rate.rates', expected, rates, () =>
      [...rates].map((rate) => readOptions<DeclaredRate>('rate.rates', rate, RATE_TABLE)),
    );
    this.#latest = this.#rates.map(() => []);
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    // Each counts on, whatever the others find.
    const found = [this.#hammering(step), this.#begging(step), this.#exceeded(step)];
    return found.find((one) => one !== undefined);
  }

  /** @internal */
  get gate(): Gate | undefined {
    return this.#rates.length > 0 ? this : undefined;
  }

  /** @internal */
  get counted(): readonly SignalKind[] {
    return this.#rates.map(({ signal }) => signal);
  }

  /** @internal */
  full(request: AdmissionRequest, underWay: UnderWay): Full | undefined {
    const kind = outcomeOf(request) ?? request.kind;
    for (const [i, rate] of this.#rates.entries()) {
      if (rate.signal !== kind) continue;
      const held = underWay.held([kind], request);
      const latest = this.#latest[i] as Latest;
      const [firstAt = Number.NEGATIVE_INFINITY] = latest[latest.length - rate.max + held] ?? [];
      if (held < rate.max && request.at - firstAt >= rate.perMs) continue;
      return { finding: this.#tooFast(rate, request.agent, latest), underWay: held };
    }
    return undefined;
  }

  /** @internal */
  beginRun(): void {
    this.#refused.clear();
  }

  /** @internal */
  startAfresh(): void {
    super.reset();
  }

  override reset(): void {
    this.startAfresh();
    this.#latest = this.#rates.map(() => []);
  }

  override snapshot(): JsonValue {
    return { kept: super.snapshot(), latest: LATEST.write(this.#latest) };
  }

  override restore(snapshot: JsonValue): void {
    const { kept, latest } = Object(snapshot);
    super.restore(kept);
    const known = LATEST.read('rate.latest', latest);
    this.#latest = this.#rates.map((_, i) => [...(known[i] ?? [])]);
  }

  #hammering(step: AnalyzedSignal): Finding | undefined {
    const { signal, index, isPerson, failure, success, isBackingOff } = step;
    if (isPerson) this.#rows.clear();
    if (isThought(signal)) this.#thoughtAt.state = index;
    if (success !== undefined) this.#worked(signal, success);
    if (failure === undefined) return undefined;
    const { limit, refusals } = this.options;
    const key = rowKey(signal, failure.target);
    const before = this.#rows.get(key);
    const began = signal.at - ('durationMs' in signal ? (signal.durationMs ?? 0) : 0);
    const isSame = before?.command === failure.command;
    const hasThought = this.#thoughtAt.state > (before?.index ?? 0);
    if (before !== undefined && !isSame && isSideBySide(before, began, hasThought)) {
      // What was sent side by side was decided once.
      this.#rows.set(key, { ...before, at: signal.at, index });
      return undefined;
    }
    const pauseMs = began - (before?.at ?? Number.NEGATIVE_INFINITY);
    // Who was asked about a failure has paused, however fast the answer came. Items of a list may each fail by themselves.
    const isHasty =
      pauseMs < this.options.pauseMs &&
      !hasThought &&
      (isSame || before?.signature === failure.signature);
    const hasty = [...(isHasty ? (before?.hasty ?? []) : []), index];
    // A person may say no to one call after another.
    const isCounted = failure.isRefusal && (isSame || !failure.isRejected);
    const refused = isCounted ? [...(before?.refused ?? []), index] : [];
    const isUnwaited = isSame && !isBackingOff;
    const unwaited = refused.length === 0 ? 0 : isUnwaited ? before.unwaited + 1 : 1;
    this.#rows.set(key, {
      at: signal.at,
      began,
      failedAt: signal.at,
      index,
      hasty: hasty.slice(-limit),
      refused: refused.slice(-refusals),
      unwaited,
      command: failure.command,
      signature: failure.signature,
      asker: askerOf(signal),
    });
    if (hasty.length >= limit) return this.#tried(signal, failure, hasty, 'without a pause');
    if (unwaited >= (isThrottled(signal) ? limit : refusals / 2)) {
      return this.#tried(signal, failure, refused.slice(-unwaited), IMPATIENT);
    }
    if (refused.length < refusals) return undefined;
    return this.#tried(signal, failure, refused, 'and was refused each time');
  }

  /** An agent asks for nothing but calls that are refused alone. */
  #begging(step: AnalyzedSignal): Finding | undefined {
    const [{ agent }, { refusals: most }] = [step.signal, this.options];
    const indices = this.#refused.add(step, this.#thoughtAt.state, most);
    if (indices.length < most) return undefined;
    const reason = `${named(agent)} asked ${times(most)} in a row for calls that were refused, and did nothing else`;
    const evidence = { agents: [agent], indices, count: most, limit: most };
    return this.found(reason, evidence, { basis: 'certain' });
  }

  /** Any model that answers its agent makes up for another one that did not. */
  #worked(signal: Signal, { target }: Success): void {
    const asker = askerOf(signal);
    this.#rows.delete(rowKey(signal, target));
    if (asker === 0) return;
    for (const [key, row] of this.#rows.entries()) if (row.asker === asker) this.#rows.delete(key);
  }

  #tried({ agent }: Signal, failure: Failure, indices: readonly number[], how: string): Finding {
    const tries = indices.length;
    const { target, error, unquoted } = describeFailure(failure);
    const who = `${named(agent)} tried`;
    const often = `${times(tries)} ${how}`;
    return this.found(
      `${who} ${target} ${often}${error === undefined ? '' : `; the last error was ${error}`}`,
      { agents: [agent], indices, count: tries, limit: tries, subject: failure.target },
      { unquoted: { reason: `${who} ${unquoted} ${often}` }, basis: 'certain' },
    );
  }

  #exceeded({ signal, index }: AnalyzedSignal): Finding | undefined {
    let found: Finding | undefined;
    for (const [i, rate] of this.#rates.entries()) {
      const { signal: kind, max, perMs } = rate;
      if (kind !== signal.kind || isRefusedCall(signal)) continue;
      const latest = this.#latest[i] as Latest;
      latest.push([signal.at, index]);
      if (latest.length > max + 1) latest.shift();
      const [firstAt] = latest[0] as Latest[number];
      if (latest.length <= max || signal.at - firstAt >= perMs) continue;
      found ??= this.#tooFast(rate, signal.agent, latest);
    }
    return found;
  }

  #tooFast({ signal, max, perMs }: DeclaredRate, agent: string, latest: Latest): Finding {
    const indices = latest.slice(-MAX_SHOWN).map(([, index]) => index);
    const reason = `more than ${counted(max, NOUNS[signal])} within ${duration(perMs)} (rate.rates)`;
    const evidence = { agents: [agent], indices, count: max + 1, limit: max };
    return this.found(reason, { ...evidence, subject: signal }, { basis: 'declared' });
  }
}

/** Whether a refused call was made: nobody denied it, a service turned it away. */
function isThrottled(signal: Signal): boolean {
  return signal.kind === 'tool-call' && signal.executed !== false;
}
