import { RecentMap } from '../analysis/recent-map.ts';
import {
  restoredList,
  restoredNumber,
  restoredRecord,
  restoredText,
} from '../analysis/restored.ts';
import type { Deed, Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { finite, integer } from '../options.ts';
import { CycleTracker } from './cycle-tracker.ts';
import { LatestIndices } from './latest-indices.ts';
import { foundAgain, type Round, repetitionOf } from './repetition-finding.ts';
import { isResult, SameResult, type Showings } from './same-result.ts';
import { Voice } from './voice.ts';

/** Options of {@link RepetitionDetector}. */
export interface RepetitionOptions {
  /**
   * How many times the same has to come round. At least 2.
   * @defaultValue 3
   */
  readonly limit?: number;
  /**
   * Steps that are looked back on. Rounds of up to half as many are found; at least 2.
   * @defaultValue 64
   */
  readonly windowSteps?: number;
  /**
   * For how many turns one agent alone may bring nothing new before that is a repetition in other words.
   * @defaultValue 8
   */
  readonly idleTurns?: number;
  /**
   * How many times a message may say the same within itself.
   * @defaultValue 12
   */
  readonly maxChants?: number;
  /**
   * The share of `idleTurns` from which on there is doubt: a finding of level `warn`. 1 is never in doubt.
   * @defaultValue 1; 0.6 in a breaker with `confirm`
   */
  readonly doubtShare?: number;
}

const MAX_AGENTS = 64;
/** Rounds between which talk may lie have to come once more to count. */
const EXTRA_ROUNDS = 1;
/** Where several agents stand still without taking turns, it takes this much longer to be sure. */
const CROWD_FACTOR = 1.5;
/** A message of a word or none says so little that it takes more of them in a row. */
const MIN_TINY_MESSAGES = 5;
const MAX_TINY_LENGTH = 16;
/** How much of the allowed standstill is enough once an agent only says what it said before. */
const ECHO_FACTOR = 0.5;

/**
 * Trips when the same is said, called or run again and again with nothing new in between.
 *
 * Finds rounds of any length up to half the window, calls that come back while others get on, messages in nearly the same
 * words, results shown again, and messages that chant.
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
  readonly #idleTurns: number;
  readonly #doubtShare: number;
  readonly #maxChants: number;
  readonly #all: CycleTracker;
  readonly #deeds: CycleTracker;
  readonly #voices: RecentMap<string, Voice> = new RecentMap(MAX_AGENTS);
  readonly #latest: LatestIndices = new LatestIndices();
  readonly #sameResult: SameResult;
  #lastAgent = '';
  /** Since when the same agent has been acting alone. */
  #aloneSince = 0;
  /** Who last changed something, and when. */
  #changedBy = '';
  #changedAt = -1;
  /** When code or a call last brought something new. */
  #newResultAt = -1;

  /** @throws {@link InvalidOptionError} */
  constructor({
    limit = 3,
    windowSteps = 64,
    idleTurns = 8,
    maxChants = 12,
    doubtShare = 1,
  }: RepetitionOptions = {}) {
    this.#limit = integer('repetition.limit', limit, 2, 100);
    const window = integer('repetition.windowSteps', windowSteps, 2, 1000);
    this.#idleTurns = finite('repetition.idleTurns', idleTurns, 1);
    this.#maxChants = integer('repetition.maxChants', maxChants, 2);
    this.#doubtShare = finite('repetition.doubtShare', doubtShare, 0, 1);
    this.#sameResult = new SameResult(limit);
    const longest = Math.floor(window / 2);
    this.#all = new CycleTracker(limit, longest);
    this.#deeds = new CycleTracker(limit + EXTRA_ROUNDS, longest);
  }

  observe(step: Step): Finding | undefined {
    if (step.isPerson) {
      this.reset();
      return undefined;
    }
    const { deed, signal, index } = step;
    if (deed === undefined) return undefined;
    this.#latest.note(index);
    if (deed.type === 'handed-over') return undefined;
    if (step.isAfterWait) this.#forgetRounds();
    const isOutcome = deed.type !== 'said' || step.said?.isOutcome === true;
    if (isOutcome && step.idleness === 0) this.#newResultAt = index;
    const showings = this.#sameResult.observe(step);
    if (signal.agent !== this.#lastAgent) {
      this.#lastAgent = signal.agent;
      this.#aloneSince = index;
    }
    if (step.failure?.isRefusal) return undefined;
    return (
      this.#round(step, deed) ?? this.#ownRound(step, deed, showings) ?? this.#standstill(step)
    );
  }

  reset(): void {
    this.#forgetRounds();
    this.#lastAgent = '';
    this.#sameResult.clear();
    this.#aloneSince = 0;
    this.#changedBy = '';
    this.#changedAt = -1;
    this.#newResultAt = -1;
    this.#latest.clear();
  }

  snapshot(): JsonValue {
    return {
      all: this.#all.snapshot(),
      deeds: this.#deeds.snapshot(),
      voices: this.#voices.entries().map(([agent, voice]) => [agent, voice.snapshot()]),
      lastAgent: this.#lastAgent,
      sameResult: this.#sameResult.snapshot(),
      aloneSince: this.#aloneSince,
      changedBy: this.#changedBy,
      changedAt: this.#changedAt,
      newResultAt: this.#newResultAt,
      latest: this.#latest.snapshot(),
    };
  }

  restore(snapshot: JsonValue): void {
    const state = restoredRecord('repetition', snapshot);
    this.#all.restore('repetition.all', state.all);
    this.#deeds.restore('repetition.deeds', state.deeds);
    this.#voices.clear();
    for (const entry of restoredList('repetition.voices', state.voices)) {
      const [agent, voice] = restoredList('repetition.voices', entry);
      const restored = new Voice(this.#limit + EXTRA_ROUNDS);
      restored.restore('repetition.voices', voice);
      this.#voices.set(restoredText('repetition.voices', agent), restored);
    }
    this.#lastAgent = restoredText('repetition.lastAgent', state.lastAgent);
    this.#sameResult.restore('repetition.sameResult', state.sameResult);
    this.#aloneSince = restoredNumber('repetition.aloneSince', state.aloneSince);
    this.#changedBy = restoredText('repetition.changedBy', state.changedBy);
    this.#changedAt = restoredNumber('repetition.changedAt', state.changedAt);
    this.#newResultAt = restoredNumber('repetition.newResultAt', state.newResultAt);
    this.#latest.restore('repetition.latest', state.latest);
  }

  /** The whole team in a round, or all its calls and runs. */
  #round(step: Step, deed: Deed): Finding | undefined {
    const round = this.#all.observe(deed.key, step.index);
    const isTooTiny = round?.period === 1 && isTiny(step) && deed.repeats < MIN_TINY_MESSAGES - 1;
    if (round !== undefined && !isTooTiny) {
      return this.#found(step, 'the same came round', { ...round, count: this.#limit });
    }
    if (deed.type === 'said') return undefined;
    const calls = this.#deeds.observe(deed.key, step.index);
    const limit = this.#limit + EXTRA_ROUNDS;
    return (
      calls && this.#found(step, 'the same calls came round', { ...calls, count: limit, limit })
    );
  }

  /** One agent in a round of its own, whatever the others do. */
  #ownRound(step: Step, deed: Deed, showings: Showings | undefined): Finding | undefined {
    const { said, index } = step;
    const { agent } = step.signal;
    const voice = this.#voices.use(agent, () => new Voice(this.#limit + EXTRA_ROUNDS));
    if (deed.type !== 'said') {
      const own = voice.act(deed, index, agent === this.#changedBy ? -1 : this.#changedAt);
      if (step.isChange) {
        this.#changedBy = agent;
        this.#changedAt = index;
      }
      const limit = this.#limit + EXTRA_ROUNDS;
      return (
        own && this.#found(step, `${agent} made the same calls`, { ...own, count: limit, limit })
      );
    }
    if (said === undefined) return undefined;
    if (said.chants >= this.#maxChants) {
      const reason = `${agent} said the same ${said.chants} times within one message`;
      const round = { indices: [index], count: said.chants, limit: this.#maxChants, period: 1 };
      return repetitionOf(step, reason, round);
    }
    // What is shown before it is asked for again was the outcome of something else.
    const times = this.#limit + (isResult(step, said) ? 1 : 0);
    const variants = voice.vary(said, index, step.idleSince);
    if (variants.length >= times) {
      const what = `${agent} said the same in nearly the same words`;
      return this.#found(step, what, { indices: variants, limit: times });
    }
    const outcomes = voice.answer(said, deed.repeats, step.idleness ?? 0, index);
    if (outcomes.length >= this.#limit) {
      return this.#found(step, `${agent} answered with the same outcome`, { indices: outcomes });
    }
    const oldCode = voice.show(said, step.idleness === 0, index, this.#newResultAt);
    const codeLimit = this.#limit + EXTRA_ROUNDS;
    if (oldCode.length >= codeLimit) {
      const round = { indices: oldCode, limit: codeLimit };
      return this.#found(step, `${agent} showed code it had shown before`, round);
    }
    if (deed.repeats > 0 && !isTiny(step)) {
      const echoes = voice.echo(deed.key, index, step.idleSince);
      const count = echoes.length + 1;
      if (count >= this.#limit && step.idleTurns >= this.#idleTurns * ECHO_FACTOR) {
        return this.#found(step, `${agent} said again what it had said before`, {
          indices: echoes,
          count,
        });
      }
    }
    if (showings === undefined) return undefined;
    const { before, count, limit } = showings;
    const indices = voice.shown(deed.key, before, index);
    return this.#found(step, `${agent} showed the same result`, { indices, count, limit });
  }

  /** Nothing new for so long that the words do not matter any more. */
  #standstill(step: Step): Finding | undefined {
    const { idleTurns, idleSince, idleness = 0, signal } = step;
    const isAlone = this.#aloneSince <= idleSince + 1;
    const limit = isAlone ? this.#idleTurns : this.#idleTurns * CROWD_FACTOR;
    if (idleness === 0 || idleTurns < limit * this.#doubtShare) return undefined;
    const who = isAlone ? signal.agent : 'the team';
    const reason = `${who} has brought nothing new for ${Math.floor(idleTurns)} turns`;
    const indices = [idleSince, ...this.#latest.since(idleSince + 1)];
    const finding = repetitionOf(step, reason, { indices, count: Math.floor(idleTurns), limit });
    return idleTurns < limit ? { ...finding, level: 'warn' } : finding;
  }

  #found(step: Step, what: string, { limit = this.#limit, ...round }: Round): Finding {
    return foundAgain(step, what, { ...round, limit });
  }

  #forgetRounds(): void {
    this.#all.clear();
    this.#deeds.clear();
    this.#voices.clear();
  }
}

function isTiny({ signal }: Step): boolean {
  return signal.kind === 'message' && signal.text.trim().length <= MAX_TINY_LENGTH;
}
