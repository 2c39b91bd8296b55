import { restoredRecord } from '../analysis/restored.ts';
import type { Step } from '../analysis/step.ts';
import type { Detector } from '../detector.ts';
import type { Finding } from '../finding.ts';
import type { JsonValue } from '../json.ts';
import { finite, integer } from '../options.ts';
import { Replay } from './replay.ts';
import { agentsOf, restoredTurns, type Turn, turnsSnapshot } from './turns.ts';

/** Options of {@link SpeakerCycleDetector}. */
export interface SpeakerCycleOptions {
  /**
   * How many times the same ring of speakers has to come round. At least 2.
   * @defaultValue 3
   */
  readonly limit?: number;
  /**
   * How many of the latest turns are looked at. At least twice `limit`, or no pair could ever come round so often.
   * @defaultValue 20
   */
  readonly windowTurns?: number;
  /**
   * Most speakers in a ring; a pair is a ring of 2.
   * @defaultValue 8
   */
  readonly maxRing?: number;
  /**
   * For how many turns the team has to bring nothing new. Less stops sooner, and more often without need.
   * @defaultValue 5.5
   */
  readonly idleTurns?: number;
  /**
   * The share of `idleTurns` from which on there is doubt: a finding of level `warn`. 1 is never in doubt.
   * @defaultValue 1; 0.6 in a breaker with `confirm`
   */
  readonly doubtShare?: number;
}

/**
 * Trips when the same speakers follow each other round and round while nothing new is said.
 *
 * @example
 * ```ts
 * const analyzer = new Analyzer();
 * const detector = new SpeakerCycleDetector({ limit: 2, idleTurns: 2 });
 * const say = (agent: string, text: string) =>
 *   detector.observe(analyzer.observe({ kind: 'message', at: 0, agent, text }))?.kind;
 * say('a', 'Thank you!'); // => undefined
 * say('b', 'No, thank you!'); // => undefined
 * say('a', 'I thank you.'); // => undefined
 * say('b', 'Thank you again.'); // => 'speaker-cycle'
 * ```
 */
export class SpeakerCycleDetector implements Detector {
  readonly kind = 'speaker-cycle';
  readonly #limit: number;
  readonly #windowTurns: number;
  readonly #maxRing: number;
  readonly #idleTurns: number;
  readonly #doubtTurns: number;
  /** The latest turns; an agent that goes on talking has one turn. */
  #turns: Turn[] = [];
  readonly #replay: Replay;

  /** @throws {@link InvalidOptionError} */
  constructor({
    limit = 3,
    windowTurns = 20,
    maxRing = 8,
    idleTurns = 5.5,
    doubtShare = 1,
  }: SpeakerCycleOptions = {}) {
    this.#limit = integer('speakerCycle.limit', limit, 2, 1000);
    this.#windowTurns = integer('speakerCycle.windowTurns', windowTurns, 2 * limit, 10_000);
    this.#maxRing = integer('speakerCycle.maxRing', maxRing, 2, windowTurns);
    this.#idleTurns = finite('speakerCycle.idleTurns', idleTurns, 0);
    this.#doubtTurns = idleTurns * finite('speakerCycle.doubtShare', doubtShare, 0, 1);
    this.#replay = new Replay(limit);
  }

  observe(step: Step): Finding | undefined {
    if (step.isPerson) {
      this.reset();
      return undefined;
    }
    const { deed, signal, index, idleness = 0, idleTurns } = step;
    if (deed === undefined) return undefined;
    this.#take(signal.agent, index);
    const replay = this.#replay.observe(step);
    if (replay !== undefined) return this.#replayed(replay);
    if (idleness === 0 || idleTurns < this.#doubtTurns) return undefined;
    const places = this.#rounds();
    if (places.length < this.#limit) return undefined;
    const agents = agentsOf(this.#turns.slice(-(places[0] as number)));
    return {
      level: idleTurns < this.#idleTurns ? 'warn' : 'trip',
      kind: this.kind,
      reason: `${agents.join(', ')} have come round ${places.length} times and brought nothing new for ${Math.floor(idleTurns)} turns`,
      evidence: {
        agents,
        indices: this.#turns.map((turn) => turn.index).filter((at) => at >= step.idleSince),
        count: places.length,
        limit: this.#limit,
        period: (places.at(-2) as number) - (places.at(-1) as number),
        subject: agents.join(' → '),
      },
    };
  }

  reset(): void {
    this.#turns = [];
    this.#replay.clear();
  }

  snapshot(): JsonValue {
    return {
      turns: turnsSnapshot(this.#turns),
      replay: this.#replay.snapshot(),
    };
  }

  restore(snapshot: JsonValue): void {
    const { turns, replay } = restoredRecord('speaker-cycle', snapshot);
    this.#replay.restore('speaker-cycle.replay', replay);
    this.#turns = restoredTurns('speaker-cycle.turns', turns);
  }

  #replayed(turns: readonly Turn[]): Finding {
    const agents = agentsOf(turns);
    return {
      level: 'trip',
      kind: this.kind,
      reason: `${agents.join(', ')} say one after the other what they have said ${this.#limit - 1} times before, in other words`,
      evidence: {
        agents,
        indices: turns.map(({ index }) => index),
        count: turns.length,
        limit: this.#replay.minTurns,
        subject: agents.join(' → '),
      },
    };
  }

  #take(agent: string, index: number): void {
    if (this.#turns.at(-1)?.agent === agent) return;
    this.#turns.push({ agent, index });
    if (this.#turns.length > this.#windowTurns) this.#turns.shift();
  }

  /** How many turns back the latest pair of speakers was each time it came, the first time first. */
  #rounds(): number[] {
    const turns = this.#turns;
    const to = turns.at(-1)?.agent;
    const from = turns.at(-2)?.agent;
    const places: number[] = [];
    if (from === undefined) return places;
    let last = turns.length - 1;
    for (let i = last; i > 0 && last - i <= this.#maxRing; i--) {
      if (turns[i]?.agent !== to || turns[i - 1]?.agent !== from) continue;
      places.unshift(turns.length - i);
      last = i;
    }
    return places;
  }
}
