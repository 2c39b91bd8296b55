import type { JsonValue } from '../json.ts';
import { HALF_STALE } from '../judgement.ts';
import { count, number, readParts, recordAt, type Stateful, writeParts } from '../state/codec.ts';
import { AgentState } from './agent-state.ts';
import type { Failure } from './analyzed-signal.ts';
import { JsonReader } from './calls/json-reader.ts';
import { hashText, mixHash } from './hash.ts';
import { RecentMap } from './recent-map.ts';
import { News } from './text/news.ts';
import { TextReader } from './text/reader/text-reader.ts';
import { Sketch } from './text/sketch.ts';
import { Vocabulary } from './text/vocabulary.ts';
import { Values } from './values.ts';

/** Terms that are remembered at most. */
const MAX_TERMS = 16_384;
/** Calls and runs of which it is remembered when they came last. */
const MAX_ASKS = 2048;
const MAX_AGENTS = 64;
/** Fingerprints of errors that are remembered at most. */
const MAX_FAILURES = 256;
const ERROR_KIND = 1;

/*
 * One of each for all conversations: a step is read to its end before the next one begins, and making their buffers anew
 * takes longer than reading a short conversation.
 */
const READER = new TextReader();
const JSON_READER = new JsonReader(READER);
const SKETCH = new Sketch();
const NEWS = new News();

/** What the conversation has had so far, and the tools to compare the next step with it. */
export class Memory implements Stateful {
  readonly reader: TextReader = READER;
  readonly json: JsonReader = JSON_READER;
  readonly sketch: Sketch = SKETCH;
  readonly values: Values = new Values();
  readonly #vocabulary: Vocabulary = new Vocabulary(MAX_TERMS);
  readonly #asks: Vocabulary = new Vocabulary(MAX_ASKS);
  readonly #failures: RecentMap<number, number> = new RecentMap(MAX_FAILURES, number, count);
  readonly #agents: RecentMap<number, AgentState> = new RecentMap(MAX_AGENTS, number, AgentState);
  readonly #horizonTurns: number;
  #turn = 0;
  /** Index of the step that is being read. */
  index = 0;
  /** Index of the latest step that brought something new, whoever took it. */
  newsAt = 0;
  /** Index of the latest call or run with something new in it that was only acknowledged, as an edit is. */
  changedAt = 0;
  /** Index of the latest call or run that brought a new result. */
  resultAt = 0;
  /** Index of the first step after the latest wait. */
  waitedAt = 0;

  /** Words not used for `horizonTurns` count as new again. */
  constructor(horizonTurns: number) {
    this.#horizonTurns = horizonTurns;
  }

  /** Starts to read the step at `index`. */
  begin(index: number): void {
    this.index = index;
    this.#turn++;
    this.reader.clear();
  }

  /** What is new in the text in {@link Memory.reader}; learns it. With a `salt`, what is new to whatever it stands for. */
  take(salt = 0): News {
    return NEWS.take(READER, this.#vocabulary, this.#turn, this.#horizonTurns, salt);
  }

  /** Notes what is asked, known by a fingerprint, and says whether it was not asked before. */
  isNewAsk(fingerprint: number): boolean {
    return this.#asks.use(fingerprint | 0, this.#turn) < 0;
  }

  /** How stale it is to fail like this: another kind of error is news, another error of a kind hardly, the same none. */
  failureStaleness({ signature, shape, category, isNamed }: Failure): number {
    const kind = mixHash(isNamed ? hashText(category) : shape, ERROR_KIND);
    const isKnown = this.#failures.get(signature) !== undefined;
    const isKnownKind = this.#failures.get(kind) !== undefined;
    this.#failures.set(signature, this.index);
    this.#failures.set(kind, this.index);
    if (isKnown) return 1;
    return isKnownKind ? HALF_STALE : 0;
  }

  /** What `name` did so far. */
  agent(name: string): AgentState {
    const key = hashText(name);
    let state = this.#agents.get(key);
    if (state === undefined) {
      state = new AgentState();
      this.#agents.set(key, state);
    } else this.#agents.touch(key, state);
    return state;
  }

  /** Forgets what was done, and keeps the words: a person who speaks settles everything. */
  settle(): void {
    this.#agents.clear();
    this.#failures.clear();
    this.values.clear();
  }

  clear(): void {
    this.settle();
    this.#vocabulary.clear();
    this.#asks.clear();
    this.#turn = 0;
    this.newsAt = 0;
    this.changedAt = 0;
    this.resultAt = 0;
    this.waitedAt = 0;
  }

  snapshot(): JsonValue {
    const { newsAt, changedAt, resultAt, waitedAt } = this;
    return {
      turn: this.#turn,
      newsAt,
      changedAt,
      resultAt,
      waitedAt,
      parts: writeParts(this.#parts),
    };
  }

  restore(path: string, json: unknown): void {
    const state = recordAt(path, json);
    readParts(`${path}.parts`, this.#parts, state.parts);
    this.#turn = count.read(`${path}.turn`, state.turn);
    this.newsAt = count.read(`${path}.newsAt`, state.newsAt);
    this.changedAt = count.read(`${path}.changedAt`, state.changedAt);
    this.resultAt = count.read(`${path}.resultAt`, state.resultAt);
    this.waitedAt = count.read(`${path}.waitedAt`, state.waitedAt);
  }

  get #parts(): Readonly<Record<string, Stateful>> {
    return {
      values: this.values,
      vocabulary: this.#vocabulary,
      asks: this.#asks,
      failures: this.#failures,
      agents: this.#agents,
    };
  }
}
