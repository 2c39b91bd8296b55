import { InvalidSnapshotError } from '../../errors.ts';
import type { JsonValue } from '../../json.ts';
import { hashText, mixHash } from '../hash.ts';
import { RecentMap } from '../recent-map.ts';
import { restoredNumbers, restoredRecord } from '../restored.ts';
import { hasNonceName } from './volatile-field.ts';

const MAX_HANDLES = 512;
const MAX_SOURCES = 256;
const MAX_LENGTH = 64;
/** What a single word cannot be: a handle has a digit or a capital letter, and no space. */
const HANDLE = /^(?=\S*[\d\p{Lu}])\S{4,}$/u;
/** Hexadecimal digits, or a long number at a name or alone. */
const RANDOM_ID = /^(?:[a-z]+[-_:.])?(?:(?=[\da-f-]*\d)(?=[\da-f-]*[a-f])[\da-f-]{8,}|\d{5,})$/i;
/** A moment that nobody asks for: not on the minute. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:(?!00)\d\d/;
/** Kinds of sources that are no places in a result. */
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
  #hasNonce = false;
  #hasOther = false;
  readonly #hasHeard: (text: string) => boolean;

  /** `hasHeard` says whether a text was said before the call that is being read. */
  constructor(hasHeard: (text: string) => boolean) {
    this.#hasHeard = hasHeard;
  }

  /** Whether the call that is being read has any. */
  get areThere(): boolean {
    return this.#used.size > 0;
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

  /** Whether one of them is a nonce by the name of its field, and the others are that as well or moments. */
  get areNonces(): boolean {
    return this.#hasNonce && !this.#hasOther;
  }

  /** Starts to read the next call. */
  begin(): void {
    this.#used.clear();
    this.#areMadeUp = false;
    this.#hasNonce = false;
    this.#hasOther = false;
  }

  /** Takes a text out of the arguments, and gives its source: a call that handed it out, or its own place if it is made up. */
  take(text: string, place: number, field: string): number | undefined {
    const madeUp = mixHash(place, MADE_UP);
    const source = this.#sourceOf(text, madeUp, isRandom);
    if (source === undefined) return undefined;
    this.#taken.set(source, true);
    const isNonce = hasNonceName(field);
    this.#hasNonce ||= isNonce;
    this.#hasOther ||= !isNonce && !MOMENT.test(text);
    this.#use(source, source === madeUp);
    return source;
  }

  /** Takes notice that the arguments of a tool count the calls. */
  count(tool: number): void {
    this.#hasOther = true;
    this.#use(mixHash(tool, COUNTED), true);
  }

  /** Takes a text out of a result, and gives its source if calls take what comes from there, or if it looks random. */
  give(text: string, place: number): number | undefined {
    const source = this.note(text, place);
    if (source === undefined) return undefined;
    if (this.#taken.get(source) === undefined && !isRandom(text)) return undefined;
    this.#used.add(source);
    return source;
  }

  /** Remembers where a text comes from that stands in a result. */
  note(text: string, place: number): number | undefined {
    return this.#sourceOf(text, place, isHandle);
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
    if (flat.length % 2 !== 0)
      throw new InvalidSnapshotError(path, 'pairs of numbers', flat.length);
    for (let i = 0; i < flat.length; i += 2) {
      this.#sources.set(flat[i] as number, flat[i + 1] as number);
    }
    for (const source of restoredNumbers(`${path}.idle`, idle)) this.#idle.set(source, true);
    for (const source of restoredNumbers(`${path}.taken`, taken)) this.#taken.set(source, true);
  }

  #use(source: number, isMadeUp: boolean): void {
    this.#areMadeUp = isMadeUp && (this.#areMadeUp || !this.areThere);
    this.#used.add(source);
  }

  #sourceOf(text: string, place: number, isName: (text: string) => boolean): number | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    const name = hashText(text);
    const source = this.#sources.get(name);
    if (source !== undefined) return source;
    if (!isName(text) || this.#hasHeard(text)) return undefined;
    this.#sources.set(name, place);
    return place;
  }
}

function isHandle(text: string): boolean {
  return HANDLE.test(text);
}

function isRandom(text: string): boolean {
  return RANDOM_ID.test(text) || MOMENT.test(text);
}
