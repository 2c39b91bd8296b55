import type { JsonValue } from '../json.ts';
import { JsonReader } from './calls/json-reader.ts';
import { hashText, mixHash } from './hash.ts';
import { Occurrences } from './occurrences.ts';
import { restoredNumber, restoredRecord } from './restored.ts';
import type { Failure } from './step.ts';
import { News } from './text/news.ts';
import { TextReader } from './text/text-reader.ts';
import { Vocabulary } from './text/vocabulary.ts';

/** Terms that are remembered at most. */
const MAX_TERMS = 16_384;
/** Deeds of the same kind this far apart are no repeats any more. */
const DEED_HORIZON_TURNS = 64;
const FAILURE = 2;
const KIND = 5;
/** How idle another error is of a kind that is known. */
export const OTHER_FAILURE = 0.25;

/** What the conversation has had so far, and the tools to compare the next step with it. */
export class Memory {
  readonly reader: TextReader = new TextReader();
  readonly #scratch: TextReader = new TextReader();
  readonly json: JsonReader = new JsonReader(this.reader);
  readonly news: News = new News();
  readonly #horizonTurns: number;
  readonly #vocabulary: Vocabulary = new Vocabulary(MAX_TERMS);
  readonly #occurrences: Occurrences = new Occurrences(DEED_HORIZON_TURNS);
  #turn = 0;

  /** Words not used for `horizonTurns` count as new again. */
  constructor(horizonTurns: number) {
    this.#horizonTurns = horizonTurns;
  }

  /** Whether nothing was taken in yet. */
  get isEmpty(): boolean {
    return this.#turn === 0;
  }

  /** Starts the next turn. */
  begin(): void {
    this.#turn++;
    this.reader.clear();
  }

  /** Reads out what is new in what {@link Memory.reader} has read, into {@link Memory.news}, and learns it. */
  take(salt = 0): News {
    this.news.take(this.reader, this.#vocabulary, this.#turn, this.#horizonTurns, salt);
    return this.news;
  }

  /** Whether all of a text was said before, however long ago. */
  hasHeard(text: string): boolean {
    const { terms } = this.#scratch;
    this.#scratch.clear();
    this.#scratch.read(text);
    for (let i = 0; i < this.#scratch.count; i++) {
      if (!this.#vocabulary.has(terms[i] as number)) return false;
    }
    return true;
  }

  /** Notes that something is seen, and gives how often it was before. */
  see(key: number): number {
    return this.#occurrences.see(key, this.#turn);
  }

  /** How idle it is to fail like this: another kind of error is news, another error of a kind hardly, the same none. */
  idlenessOfFailure({ signature, shape, category, isNamed }: Failure): number {
    const isKnownKind = this.see(mixHash(isNamed ? hashText(category) : shape, KIND)) > 0;
    const isKnown = this.see(mixHash(signature, FAILURE)) > 0;
    if (isKnown) return 1;
    return isKnownKind ? OTHER_FAILURE : 0;
  }

  /** Forgets what was done, and keeps the words. */
  settle(): void {
    this.#occurrences.clear();
  }

  clear(): void {
    this.#turn = 0;
    this.#vocabulary.clear();
    this.#occurrences.clear();
  }

  snapshot(): JsonValue {
    return {
      turn: this.#turn,
      vocabulary: this.#vocabulary.snapshot(),
      occurrences: this.#occurrences.snapshot(),
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { turn, vocabulary, occurrences } = restoredRecord(path, snapshot);
    this.#turn = restoredNumber(`${path}.turn`, turn);
    this.#vocabulary.restore(`${path}.vocabulary`, vocabulary);
    this.#occurrences.restore(`${path}.occurrences`, occurrences);
  }
}
