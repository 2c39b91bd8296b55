import type { JsonValue } from '../../json.ts';
import { hashText, mixHash } from '../hash.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredNumbers, restoredRecord } from '../restored.ts';

const MAX_HANDLES = 512;
const MAX_SOURCES = 256;
const MAX_LENGTH = 64;
/** What a single word cannot be: a handle has a digit or a capital letter, and no space. */
const HANDLE = /^(?=\S*[\d\p{Lu}])\S{4,}$/u;
/** What nobody writes twice by chance: hexadecimal digits, a long number at a name, or a moment down to the second. */
const RANDOM =
  /^(?:[a-z]+[-_:.])?(?:(?=[\da-f-]*\d)(?=[\da-f-]*[a-f])[\da-f-]{8,}|\d{5,})$|T\d\d:\d\d:(?!00)\d\d/i;
const MADE_UP = 1;
const COUNTED = 2;

/**
 * Follows names that calls hand out and take, such as sessions, run ids and nonces, by where they come from.
 *
 * A name is as good as the call that handed it out: what the same call hands out the next time, at the same place, is the
 * same thing anew. Whether it is, or another thing altogether, shows in what comes back for it.
 */
export class Handles {
  /** Where each known name comes from. Names are kept as hashes: they may be secrets. */
  readonly #sources: RecentMap<number, number> = new RecentMap(MAX_HANDLES);
  /** The sources whose names are known to mean nothing. */
  readonly #idle: RecentMap<number, true> = new RecentMap(MAX_SOURCES);
  /** The sources whose names some call has taken. */
  readonly #taken: RecentMap<number, true> = new RecentMap(MAX_SOURCES);
  /** The sources of the names in the call that is being read. */
  readonly #used: Set<number> = new Set();
  #areMadeUp = false;
  #inResult = 0;
  readonly #hasHeard: (text: string) => boolean;

  /** `hasHeard` says whether a text was said before the call that is being read. */
  constructor(hasHeard: (text: string) => boolean) {
    this.#hasHeard = hasHeard;
  }

  /** Whether the call that is being read has any. */
  get areThere(): boolean {
    return this.#used.size > 0;
  }

  /** How many of them its result has. */
  get inResult(): number {
    return this.#inResult;
  }

  /** Whether all of them are known to mean nothing. */
  get areIdle(): boolean {
    for (const source of this.#used) if (this.#idle.get(source) === undefined) return false;
    return this.areThere;
  }

  /** Whether the call takes names, and all of them are made up by whoever calls. */
  get areMadeUp(): boolean {
    return this.#areMadeUp;
  }

  /** Starts to read the next call. */
  begin(): void {
    this.#used.clear();
    this.#areMadeUp = false;
    this.#inResult = 0;
  }

  /** The source of `text` in the arguments, at its place in those of the tool. */
  taken(text: string, place: number): number | undefined {
    const madeUp = mixHash(place, MADE_UP);
    const source = this.#sourceOf(text, madeUp, RANDOM);
    if (source === undefined) return undefined;
    this.#taken.set(source, true);
    this.#use(source, source === madeUp);
    return source;
  }

  /** Notes that the arguments of a tool count the calls. */
  count(tool: number): void {
    this.#use(mixHash(tool, COUNTED), true);
  }

  /** The source of `text` in the result, at its place in that of the call: if calls take it, or it is random. */
  given(text: string, place: number): number | undefined {
    const source = this.#sourceOf(text, place, HANDLE);
    if (source === undefined) return undefined;
    if (this.#taken.get(source) === undefined && !RANDOM.test(text)) return undefined;
    this.#used.add(source);
    this.#inResult++;
    return source;
  }

  /** Notes that the names in the call that was read made no difference to what came back. */
  settle(): void {
    for (const source of this.#used) this.#idle.set(source, true);
  }

  clear(): void {
    this.#sources.clear();
    this.#idle.clear();
    this.#taken.clear();
    this.begin();
  }

  snapshot(): JsonValue {
    return {
      sources: this.#sources.entries().flat(),
      idle: this.#idle.entries().map(([source]) => source),
      taken: this.#taken.entries().map(([source]) => source),
    };
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    const { sources, idle, taken } = restoredRecord(path, snapshot);
    this.clear();
    const flat = restoredNumbers(`${path}.sources`, sources);
    for (let i = 0; i + 1 < flat.length; i += 2) {
      this.#sources.set(flat[i] as number, flat[i + 1] as number);
    }
    for (const source of restoredNumbers(`${path}.idle`, idle)) this.#idle.set(source, true);
    for (const source of restoredNumbers(`${path}.taken`, taken)) this.#taken.set(source, true);
  }

  #use(source: number, isMadeUp: boolean): void {
    this.#areMadeUp = isMadeUp && (this.#areMadeUp || !this.areThere);
    this.#used.add(source);
  }

  #sourceOf(text: string, place: number, form: RegExp): number | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const name = hashText(text);
    const source = this.#sources.get(name);
    if (source !== undefined) return source;
    if (!form.test(text) || this.#hasHeard(text)) return undefined;
    this.#sources.set(name, place);
    return place;
  }
}
