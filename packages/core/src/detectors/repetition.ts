import type { Action, AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Detector } from '../detector.ts';
import { quotation } from '../excerpt.ts';
import type { Evidence, Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { EXTRA_TINY, STOP_AT } from '../judgement.ts';
import { checkNames, finite, integer, type OptionNames } from '../options.ts';
import { count, list } from '../state/codec.ts';
import { levelOf, type SuspicionOptions, stopAtOf } from './stop-at.ts';

/** Options of {@link RepetitionDetector}. */
export interface RepetitionOptions extends SuspicionOptions {
  /**
   * How many times the same has to come with nothing new in between; the last one trips. An empty message, or one of a
   * single short word, has to come twice more.
   * @defaultValue 3
   */
  readonly limit?: number;
  /**
   * How many times a message may say the same within itself.
   * @defaultValue 20
   */
  readonly maxSelfRepetitions?: number;
}

const MAX_LIMIT = 32;
const MAX_INDICES = 20;

const NAMES: OptionNames<RepetitionOptions> = {
  limit: true,
  maxSelfRepetitions: true,
  stopAt: true,
  nudge: true,
};

/**
 * Trips when an agent says, calls or runs the same again and again with nothing new in between, word for word or nearly,
 * and when a message says the same again and again within itself.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new RepetitionDetector({ limit: 2 });
 * const said = { kind: 'message', at: 0, agent: 'coder', text: 'I will look into it now.' } as const;
 * detector.observe(analyzer.observe(said)); // => undefined
 * detector.observe(analyzer.observe(said))?.level; // => 'trip'
 * ```
 */
export class RepetitionDetector implements Detector {
  readonly kind = 'repetition';
  readonly #limit: number;
  readonly #maxSelfRepetitions: number;
  readonly #stopAt: number;
  readonly #nudge: boolean;
  /** Indices of the latest steps, for the evidence of a standstill. */
  #latest: number[] = [];

  /** @throws {@link InvalidOptionError} */
  constructor(options: RepetitionOptions = {}) {
    checkNames('repetition', options, NAMES);
    const { limit = 3, maxSelfRepetitions = 20, stopAt = STOP_AT, nudge = false } = options;
    this.#limit = integer('repetition.limit', limit, 2, MAX_LIMIT);
    this.#maxSelfRepetitions = integer('repetition.maxSelfRepetitions', maxSelfRepetitions, 2);
    this.#stopAt = finite('repetition.stopAt', stopAt, 0);
    this.#nudge = nudge;
  }

  observe(step: AnalyzedSignal): Finding | undefined {
    const { action, failure, selfRepetitions = 0, isPerson } = step;
    if (isPerson) this.reset();
    if (action === undefined) return undefined;
    if (this.#latest.push(step.index) > MAX_INDICES) this.#latest.shift();
    if (failure?.isRefusal) return undefined;
    return (
      this.#again(step, action) ??
      this.#selfRepetition(step, selfRepetitions) ??
      this.#standstill(step)
    );
  }

  reset(): void {
    this.#latest = [];
  }

  snapshot(): JsonValue {
    return LATEST.write(this.#latest);
  }

  restore(snapshot: JsonValue): void {
    this.#latest = [...LATEST.read('repetition', snapshot)];
  }

  #again({ signal, index }: AnalyzedSignal, action: Action): Finding | undefined {
    const { earlier, type, isTiny, match, subject } = action;
    const limit = this.#limit + (isTiny ? EXTRA_TINY : 0);
    const times = earlier.length + 1;
    if (times < limit) return undefined;
    const how = match === 'words' ? 'nearly the same' : 'the same';
    const isAct = type === 'called' || type === 'ran';
    const again = isAct ? `${times} times with ${how} result` : `${how} ${times} times`;
    const rest = `${again}, with nothing new in between`;
    const did = DID[type];
    const called = type === 'called' ? `called ${quotation(subject)}` : did;
    const evidence = { agents: [signal.agent], indices: [...earlier, index], count: times, limit };
    return {
      ...this.#finding(
        `${signal.agent} ${called} ${rest}`,
        { ...evidence, ...(subject !== '' && { subject }) },
        isAct,
      ),
      unquoted: { reason: `${signal.agent} ${did} ${rest}` },
    };
  }

  #selfRepetition({ signal, index }: AnalyzedSignal, selfRepetitions: number): Finding | undefined {
    if (selfRepetitions < this.#maxSelfRepetitions) return undefined;
    const reason = `${signal.agent} said the same ${selfRepetitions} times within one message`;
    const evidence = {
      agents: [signal.agent],
      indices: [index],
      count: selfRepetitions,
      limit: this.#maxSelfRepetitions,
    };
    return this.#finding(reason, evidence, false);
  }

  /** So little that is new for so long that it does not matter what exactly is the same. */
  #standstill(step: AnalyzedSignal): Finding | undefined {
    const { score, since, agents, kind } = step.suspicion;
    const limit = stopAtOf(step.suspicion, this.#stopAt);
    const level = levelOf(step, this.#stopAt, this.#nudge);
    const isOurs = kind === this.kind || agents.length > 2;
    if (!isOurs || level === undefined) return undefined;
    const reason = `${agents.join(', ')} brought hardly anything new for a while: a suspicion of ${score.toFixed(1)}`;
    const indices = this.#latest.filter((index) => index >= since);
    return {
      ...this.#finding(reason, { agents, indices, count: round(score), limit }, false),
      level,
    };
  }

  #finding(reason: string, evidence: Evidence, isFact: boolean): Finding {
    return { level: 'trip', kind: this.kind, reason, evidence, isFact };
  }
}

/** What an agent did the same again, as a reason begins. */
const DID: Readonly<Record<Action['type'], string>> = {
  said: 'said',
  called: 'called a tool',
  ran: 'ran code',
  'handed-over': 'handed over with',
};

const LATEST = list(count, MAX_INDICES);

function round(score: number): number {
  return Math.round(score * 10) / 10;
}
