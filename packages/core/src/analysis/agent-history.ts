import type { JsonValue } from '../json.ts';
import { list, number, pair } from '../state/codec.ts';
import { Kept, Parts, part } from '../state/stateful.ts';
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

type Step = readonly [channel: number, key: number];
const STEPS = list(pair(number, number), SLOTS);

/** The latest steps of one agent, with what later ones are compared by. */
export class AgentHistory {
  readonly #steps = new Kept<Step[]>(STEPS, () => []);
  readonly #sketches = new RecentSketches();
  readonly #frames = new Kept<Frame[]>(FRAMES, () => []);

  /** Compares a step with earlier ones in its channel, such as the calls of one tool, and remembers it. */
  compare(channel: number, key: number, sketch: Sketch): Comparison {
    let repeats = 0;
    let sameness = 0;
    let recurrence = 0;
    const steps = this.#steps.state;
    this.#sketches.compare(sketch);
    for (let back = 1; back <= steps.length; back++) {
      const before = steps[steps.length - back] as Step;
      if (before[0] !== channel) continue;
      const isSame = before[1] === key;
      if (isSame) repeats++;
      const similarity = isSame ? 1 : this.#sketches.similarity(back, sketch.size);
      if (similarity > sameness) {
        recurrence = sameness;
        sameness = similarity;
      } else if (similarity > recurrence) {
        recurrence = similarity;
      }
    }
    if (steps.push([channel, key]) > SLOTS) steps.shift();
    this.#sketches.add(sketch);
    return { repeats, sameness, recurrence };
  }

  /** Whether the message in `reader` differs from a recent one in one item only; remembers it. */
  isItem(reader: TextReader): boolean {
    const frames = this.#frames.state;
    const frame = (frames.length === MAX_FRAMES ? frames.shift() : undefined) ?? new Frame();
    frame.read(reader);
    const isItem = frames.some((before) => before.isRefilledBy(frame));
    frames.push(frame);
    return isItem;
  }

  snapshot(): JsonValue {
    return this.#parts.snapshot();
  }

  restore(path: string, json: unknown): void {
    this.#parts.restore(path, json);
  }

  get #parts(): Parts {
    return new Parts({ steps: this.#steps, sketches: this.#sketches, frames: this.#frames });
  }
}
