import type { JsonValue } from '../json.ts';
import { SAME_WORDS } from '../judgement.ts';
import { count, list, number, recordAt, type Stateful } from '../state/codec.ts';
import { RecentSketches, SLOTS } from './text/recent-sketches.ts';
import type { Sketch } from './text/sketch.ts';

/** Actions of one agent that are looked back on: two rounds of a cycle of eight. */
const CAPACITY: number = SLOTS;
/** By what actions are the same: every one by its identity, some by their outcome alone, or some by nearly the same words. */
export type Match = 'identity' | 'outcome' | 'words';

/** An action as far as later ones are compared with it. */
export interface ActionRead {
  readonly index: number;
  /** Equal for actions of one sort: messages, calls of one tool, runs. */
  readonly channel: number;
  /** Equal for the very same action with the same outcome. */
  readonly key: number;
  /** Equal for what asks the same, whatever came back; 0 for a message. */
  readonly ask: number;
  /** Equal for the same outcome; 0 where an action has none. */
  readonly outcome: number;
  /** Whether the same outcome makes two actions the same, whatever they ask. */
  readonly isSameByOutcome: boolean;
  /** Whether nearly the same words are the same action. */
  readonly isWordy: boolean;
  readonly sketch: Sketch;
}

/** How an action compares with the agent's latest ones. */
export interface Comparison {
  /** Indices of those that were the same, oldest first. */
  readonly earlier: readonly number[];
  /** By what they were the same. */
  readonly match: Match;
  /** How many of all that are remembered were the very same. */
  readonly repeats: number;
  /** The similarity to the most similar one, from 0 to 1. */
  readonly sameness: number;
  /** The similarity to the second most similar one: with it, this is the third time. */
  readonly recurrence: number;
  /** Whether one of them had the same outcome. */
  readonly hasSameOutcome: boolean;
  /** Key of the latest one that asked the same; 0 if there was none. */
  readonly lastKey: number;
}

const NONE: readonly number[] = [];

/** The latest actions of one agent. */
export class AgentHistory implements Stateful {
  // Not typed arrays: for so few numbers, making those takes longer than all that is done with them.
  readonly #indices: number[] = [];
  readonly #channels: number[] = [];
  readonly #keys: number[] = [];
  readonly #asks: number[] = [];
  readonly #outcomes: number[] = [];
  readonly #sketches: RecentSketches = new RecentSketches();
  #count = 0;

  /** Compares an action with those before it, and remembers it. Only those since `barrier` can be the same. */
  compare(now: ActionRead, barrier: number): Comparison {
    let earlier: number[] | undefined;
    let match: Match = 'identity';
    let repeats = 0;
    let sameness = 0;
    let recurrence = 0;
    let lastKey = 0;
    let hasSameOutcome = false;
    const kept = Math.min(this.#count, CAPACITY);
    this.#sketches.compare(now.sketch);
    for (let back = 1; back <= kept; back++) {
      const at = (this.#count - back) % CAPACITY;
      if (this.#channels[at] !== now.channel) continue;
      const isSameAsk = now.ask !== 0 && this.#asks[at] === now.ask;
      if (isSameAsk && lastKey === 0) lastKey = this.#keys[at] as number;
      const isSameKey = this.#keys[at] === now.key;
      if (isSameKey) repeats++;
      const isSameOutcome = now.outcome !== 0 && this.#outcomes[at] === now.outcome;
      if (isSameOutcome) hasSameOutcome = true;
      let similarity = 1;
      if (!isSameKey && !isSameAsk) similarity = this.#sketches.similarity(back, now.sketch.size);
      if (similarity > sameness) {
        recurrence = sameness;
        sameness = similarity;
      } else if (similarity > recurrence) {
        recurrence = similarity;
      }
      const index = this.#indices[at] as number;
      if (index < barrier) continue;
      const isSameResult = isSameOutcome && now.isSameByOutcome;
      const isSameText = now.isWordy && similarity >= SAME_WORDS;
      if (!isSameKey && !isSameResult && !isSameText) continue;
      if (!isSameKey && match !== 'words') match = isSameResult ? 'outcome' : 'words';
      earlier ??= [];
      earlier.push(index);
    }
    this.#remember(now);
    this.#sketches.add(now.sketch);
    return {
      earlier: earlier?.reverse() ?? NONE,
      match,
      repeats,
      sameness,
      recurrence,
      hasSameOutcome,
      lastKey,
    };
  }

  snapshot(): JsonValue {
    const kept = Math.min(this.#count, CAPACITY);
    const places = Array.from({ length: kept }, (_, i) => (this.#count - kept + i) % CAPACITY);
    return {
      actions: places.map((at) =>
        [this.#indices, this.#channels, this.#keys, this.#asks, this.#outcomes].map(
          (column) => column[at] as number,
        ),
      ),
      sketches: this.#sketches.snapshot(),
    };
  }

  restore(path: string, json: unknown): void {
    const { actions, sketches } = recordAt(path, json);
    const rows = list(list(number, 5), CAPACITY).read(`${path}.actions`, actions);
    this.#sketches.restore(`${path}.sketches`, sketches);
    this.#count = 0;
    for (const [index, channel, key, ask, outcome] of rows) {
      this.#remember({
        index: count.read(`${path}.actions`, index),
        channel: number.read(`${path}.actions`, channel),
        key: number.read(`${path}.actions`, key),
        ask: number.read(`${path}.actions`, ask),
        outcome: number.read(`${path}.actions`, outcome),
      });
    }
  }

  #remember(action: Omit<ActionRead, 'isSameByOutcome' | 'isWordy' | 'sketch'>): void {
    const at = this.#count % CAPACITY;
    this.#indices[at] = action.index;
    this.#channels[at] = action.channel;
    this.#keys[at] = action.key;
    this.#asks[at] = action.ask;
    this.#outcomes[at] = action.outcome;
    this.#count++;
  }
}
