import { hashText, mixHash } from '../hash.ts';
import type { JsonValue } from '../json.ts';
import { HALF_STALE } from '../judgement.ts';
import { count, number, recordAt } from '../state/codec.ts';
import { Parts, part, type Stateful } from '../state/stateful.ts';
import { AgentHistory } from './agent-history.ts';
import type { Failure } from './analyzed-signal.ts';
import { JsonReader } from './calls/json-reader.ts';
import { Outcomes } from './outcomes.ts';
import { RecentMap } from './recent-map.ts';
import { News } from './text/news.ts';
import { TextReader } from './text/reader/text-reader.ts';
import { Sketch } from './text/sketch.ts';
import { Vocabulary } from './text/vocabulary.ts';

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
  readonly #parts: Parts = new Parts({
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

  /** Whether a request of a person, given as a hash, is new; remembers it. */
  isNewRequest(fingerprint: number): boolean {
    const isNew = this.#requests.get(fingerprint) === undefined;
    this.#requests.set(fingerprint, this.turn);
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
  settle(): void {
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
