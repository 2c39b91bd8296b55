import type { JsonValue } from '../../json.ts';
import { mixHash } from '../hash.ts';
import type { Memory } from '../memory.ts';
import { MIN_RICH_CONTENT } from '../text/idleness.ts';
import { Handles } from './handles.ts';
import type { Rename } from './json-reader.ts';

/** Arguments with so much content are not asked twice by chance, whatever id comes back. */
const MIN_FULL_CONTENT = 6;
const RENAMED = 4;

const NEVER: Rename = () => undefined;

/** How arguments are read. */
export interface Asking {
  /** Names of fields that do not count. */
  readonly ignored: ReadonlySet<string>;
  /** Names of fields that only count the calls. */
  readonly counted: ReadonlySet<string>;
  /** Whether the user has declared what makes two calls the same, so that names are taken as they stand. */
  readonly isDeclared: boolean;
}

/** A call with what came back. */
export interface AnsweredCall {
  readonly agent: number;
  /** The fingerprint of the call, exactly as it is. */
  readonly command: number;
  /** How many different words, names and numbers there are in both. */
  readonly asked: number;
  readonly answered: number;
}

/**
 * Tells how often a call was made before with the same outcome, even if it goes by another session, cursor or nonce.
 *
 * Which names mean nothing is learned: those without which two calls are the same and have got the same answer, if there is
 * enough in it, or in what was asked, for that to be no chance.
 */
export class KnownCalls {
  readonly #memory: Memory;
  readonly #handles: Handles;
  readonly #taken: Rename;
  readonly #given: Rename;
  #ask = 0;
  #origin = 0;
  #result = 0;
  #answer = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    const handles = new Handles((text) => memory.hasHeard(text));
    this.#handles = handles;
    this.#taken = (text, place) => handles.taken(text, place);
    this.#given = (text, place) => handles.given(text, place);
  }

  /** Reads what a tool is asked, before the memory learns its words, and gives its fingerprint. */
  readAsk(tool: number, args: JsonValue, { ignored, counted, isDeclared }: Asking): number {
    const { json } = this.#memory;
    this.#handles.begin();
    if (counted.size > 0) this.#handles.count(tool);
    const rename = isDeclared ? NEVER : this.#taken;
    const hash = json.read(args, { rename, ignored, counted, isResult: false, place: tool });
    this.#ask = mixHash(tool, json.renamed);
    // What hands out the next of a row of names is the same call, whatever name it took itself.
    this.#origin = mixHash(tool, json.nameless);
    return hash;
  }

  /** Reads what came back, before the memory learns its words. */
  readAnswer(result: JsonValue, ignored: ReadonlySet<string>): void {
    const { json } = this.#memory;
    json.read(result, { rename: this.#given, ignored, isResult: true, place: this.#origin });
    this.#result = json.bag;
    this.#answer = json.renamed;
  }

  /** Notes the call, and gives how often it was made before with the same outcome, and a fingerprint that is equal then. */
  see({ agent, command, asked, answered }: AnsweredCall): { key: number; repeats: number } {
    const memory = this.#memory;
    const handles = this.#handles;
    const exact = mixHash(mixHash(agent, command), this.#result);
    const repeats = memory.see(exact);
    if (!handles.areThere) return { key: exact, repeats };
    const renamed = mixHash(mixHash(mixHash(agent, this.#ask), this.#answer), RENAMED);
    const others = memory.see(renamed);
    const rest = answered - handles.inResult;
    const isTelling =
      rest >= MIN_RICH_CONTENT ||
      (handles.areMadeUp ? others > 1 && rest > 0 : asked >= MIN_FULL_CONTENT);
    if (repeats === 0 && others > 0 && isTelling) handles.settle();
    return handles.areIdle ? { key: renamed, repeats: others } : { key: exact, repeats };
  }

  clear(): void {
    this.#handles.clear();
  }

  snapshot(): JsonValue {
    return this.#handles.snapshot();
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.#handles.restore(path, snapshot);
  }
}
