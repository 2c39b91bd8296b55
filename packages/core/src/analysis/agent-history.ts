import type { JsonValue } from '../json.ts';
import { list, number, recordAt } from '../state/codec.ts';
import { part } from '../state/stateful.ts';
import { Frame } from './text/frame.ts';
import type { TextReader } from './text/reader/text-reader.ts';
import { RecentSketches, SLOTS } from './text/recent-sketches.ts';
import type { Sketch } from './text/sketch.ts';

/** Messages that are compared with the next one for a difference in one item. */
const MAX_FRAMES = 8;
const FRAMES = list(
  part(() => new Frame()),
  MAX_FRAMES,
);

/** How a step compares with the agent's latest ones in its channel. */
export interface Comparison {
  /** How many of them are identical. */
  readonly repeats: number;
  /** The similarity to the most similar one, from 0 to 1. */
  readonly sameness: number;
  /** The similarity to the second most similar one. */
  readonly recurrence: number;
}

/** The latest steps of one agent, with what later ones are compared by. */
export class AgentHistory {
  // Not typed arrays, which are slow to create for so few numbers.
  readonly #channels: number[] = [];
  readonly #keys: number[] = [];
  readonly #sketches: RecentSketches = new RecentSketches();
  #frames: Frame[] = [];
  #count = 0;

  /** Compares a step with earlier ones in its channel, such as the calls of one tool, and remembers it. */
  compare(channel: number, key: number, sketch: Sketch): Comparison {
    let repeats = 0;
    let sameness = 0;
    let recurrence = 0;
    const kept = Math.min(this.#count, SLOTS);
    this.#sketches.compare(sketch);
    for (let back = 1; back <= kept; back++) {
      const at = (this.#count - back) % SLOTS;
      if (this.#channels[at] !== channel) continue;
      const isSame = this.#keys[at] === key;
      if (isSame) repeats++;
      const similarity = isSame ? 1 : this.#sketches.similarity(back, sketch.size);
      if (similarity > sameness) {
        recurrence = sameness;
        sameness = similarity;
      } else if (similarity > recurrence) {
        recurrence = similarity;
      }
    }
    this.#remember(channel, key);
    this.#sketches.add(sketch);
    return { repeats, sameness, recurrence };
  }

  /** Whether the message in `reader` differs from a recent one in one item only; remembers it. */
  isItem(reader: TextReader): boolean {
    const isFull = this.#frames.length === MAX_FRAMES;
    const frame = isFull ? (this.#frames.shift() as Frame) : new Frame();
    frame.read(reader);
    const isItem = this.#frames.some((before) => before.isRefilledBy(frame));
    this.#frames.push(frame);
    return isItem;
  }

  snapshot(): JsonValue {
    const kept = Math.min(this.#count, SLOTS);
    const places = Array.from({ length: kept }, (_, i) => (this.#count - kept + i) % SLOTS);
    return {
      steps: places.map((at) => [this.#channels[at] as number, this.#keys[at] as number]),
      sketches: this.#sketches.snapshot(),
      frames: FRAMES.write(this.#frames),
    };
  }

  restore(path: string, json: unknown): void {
    const { steps, sketches, frames } = recordAt(path, json);
    const rows = list(list(number, 2), SLOTS).read(`${path}.steps`, steps);
    this.#sketches.restore(`${path}.sketches`, sketches);
    this.#frames = FRAMES.read(`${path}.frames`, frames);
    this.#count = 0;
    for (const [channel, key] of rows) {
      this.#remember(number.read(`${path}.steps`, channel), number.read(`${path}.steps`, key));
    }
  }

  #remember(channel: number, key: number): void {
    const at = this.#count % SLOTS;
    this.#channels[at] = channel;
    this.#keys[at] = key;
    this.#count++;
  }
}
