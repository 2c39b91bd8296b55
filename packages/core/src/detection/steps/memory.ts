import { hashText, mixHash } from '../../common/hash.ts';
import type { JsonValue } from '../../common/json.ts';
import { count, list, number, pair, recordAt } from '../../state/codec.ts';
import { part, RecentMap, Saved, SavedGroup, type Stateful } from '../../state/stateful.ts';
import type { Failure } from '../analyzed-signal.ts';
import { JsonReader } from '../calls/json-reader.ts';
import { type ChannelHash, hashes, type StepKey } from '../hashes.ts';
import { HALF_STALE } from '../judgement.ts';
import { Frame } from '../text/frame.ts';
import { TextReader } from '../text/reader/text-reader.ts';
import { RecentSketches, Sketch, SLOTS } from '../text/recent-sketches.ts';
import { News, Vocabulary } from '../text/vocabulary.ts';
import { Outcomes } from './outcomes.ts';

const MAX_TERMS = 16_384;
const MAX_AGENTS = 64;
const MAX_FAILURES = 256;
const MAX_REQUESTS = 64;
const ERROR_KIND = 1;

// Shared by all conversations: steps are read one at a time, and creating the buffers is slow.
const READER = new TextReader();
const JSON_READER = new JsonReader(READER);
const SKETCH = new Sketch();
const NEWS = new News();
const HISTORY = part(() => new AgentHistory());

/** What has happened in a conversation, and the tools to compare the next step with it. */
export class Memory implements Stateful {
  readonly reader: TextReader = READER;
  readonly json: JsonReader = JSON_READER;
  readonly sketch: Sketch = SKETCH;
  readonly outcomes: Outcomes = new Outcomes();
  readonly #vocabulary: Vocabulary = new Vocabulary(MAX_TERMS);
  readonly #failures: RecentMap<number, number> = new RecentMap(MAX_FAILURES, number, count);
  readonly #histories: RecentMap<number, AgentHistory> = new RecentMap(MAX_AGENTS, number, HISTORY);
  readonly #requests: RecentMap<number, number> = new RecentMap(MAX_REQUESTS, number, count);
  readonly #parts: SavedGroup = new SavedGroup({
    outcomes: this.outcomes,
    vocabulary: this.#vocabulary,
    failures: this.#failures,
    requests: this.#requests,
    histories: this.#histories,
  });
  readonly #horizonTurns: number;
  /** Number of the current step, from 1. */
  turn = 0;

  /** Words not used for `horizonTurns` count as new again. */
  constructor(horizonTurns: number) {
    this.#horizonTurns = horizonTurns;
  }

  /** Starts the next step. */
  begin(): void {
    this.turn++;
    this.reader.clear();
  }

  /** What is new in the text in {@link Memory.reader}; learns it. */
  take(): News {
    return NEWS.take(READER, this.#vocabulary, this.turn, this.#horizonTurns);
  }

  /** Learns the words of a text that nobody of the team has said. */
  learn(text: string): void {
    this.reader.clear();
    this.reader.read(text);
    this.take();
    this.reader.clear();
  }

  /** The staleness of a failure: another kind of error is new, another error of a known kind half stale. */
  failureStaleness({ signature, shape, category, isNamed }: Failure): number {
    const kind = mixHash(isNamed ? hashText(category) : shape, ERROR_KIND);
    const isKnown = this.#failures.get(signature) !== undefined;
    const isKnownKind = this.#failures.get(kind) !== undefined;
    this.#failures.set(signature, this.turn);
    this.#failures.set(kind, this.turn);
    if (isKnown) return 1;
    return isKnownKind ? HALF_STALE : 0;
  }

  /** Remembers a request of a person, given as a hash. Returns whether it is new. */
  takeRequest(request: number): boolean {
    const isNew = this.#requests.get(request) === undefined;
    this.#requests.set(request, this.turn);
    return isNew;
  }

  history(agent: string): AgentHistory {
    const key = hashText(agent);
    let history = this.#histories.get(key);
    if (history === undefined) {
      history = new AgentHistory();
      this.#histories.set(key, history);
    } else this.#histories.touch(key, history);
    return history;
  }

  /** Forgets what was done, but keeps the words. */
  forgetSteps(): void {
    this.#histories.clear();
    this.#failures.clear();
    this.outcomes.clear();
  }

  clear(): void {
    this.#parts.clear();
    this.turn = 0;
  }

  snapshot(): JsonValue {
    return { turn: this.turn, parts: this.#parts.snapshot() };
  }

  restore(path: string, json: unknown): void {
    const state = recordAt(path, json);
    this.#parts.restore(`${path}.parts`, state.parts);
    this.turn = count.read(`${path}.turn`, state.turn);
  }
}

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

type Step = readonly [channel: ChannelHash, key: StepKey];
const STEPS = list(pair(hashes<ChannelHash>(), hashes<StepKey>()), SLOTS);

/** The latest steps of one agent, with what later ones are compared by. */
export class AgentHistory {
  readonly #steps = new Saved<Step[]>(STEPS, () => []);
  readonly #sketches = new RecentSketches();
  readonly #frames = new Saved<Frame[]>(FRAMES, () => []);

  /** Compares a step with earlier ones in its channel, such as the calls of one tool, and remembers it. */
  compare(channel: ChannelHash, key: StepKey, sketch: Sketch): Comparison {
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

  /** Remembers the message in `reader`. Returns whether it differs from a recent one in one item only. */
  takeMessage(reader: TextReader): boolean {
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

  get #parts(): SavedGroup {
    return new SavedGroup({ steps: this.#steps, sketches: this.#sketches, frames: this.#frames });
  }
}
