import type { JsonValue } from '../../json.ts';
import { mixHash } from '../hash.ts';
import type { Memory } from '../memory.ts';
import { MIN_RICH_CONTENT } from '../text/idleness.ts';
import { Handles } from './handles.ts';
import { type Rename, renamedHash } from './renamed-json.ts';

/** Arguments with so much content are not asked twice by chance, whatever id comes back. */
const MIN_FULL_CONTENT = 6;
const RENAMED = 4;

/** A call with what came back. */
export interface AnsweredCall {
  readonly agent: number;
  /** Fingerprints of the call and of its result, exactly as they are. */
  readonly command: number;
  readonly result: number;
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
  readonly #hidden: Rename;
  #ask = 0;
  #origin = 0;
  #answer = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
    const handles = new Handles((text) => memory.hasHeard(text));
    this.#handles = handles;
    this.#taken = (text, place) => handles.taken(text, place);
    this.#given = (text, place) => handles.given(text, place);
    this.#hidden = (text) => (handles.isKnown(text) ? 0 : undefined);
  }

  /** Reads what a tool is asked, before the memory learns its words. `isCounted` if a running number was left out of it. */
  ask(tool: number, args: JsonValue, isCounted: boolean, ignored: ReadonlySet<string>): void {
    this.#handles.begin();
    if (isCounted) this.#handles.count(tool);
    const asks = { ignored, isResult: false };
    this.#ask = mixHash(tool, renamedHash(args, tool, { ...asks, rename: this.#taken }));
    // What hands out the next of a row of names is the same call, whatever name it took itself.
    this.#origin = mixHash(tool, renamedHash(args, tool, { ...asks, rename: this.#hidden }));
  }

  /** Reads what came back, before the memory learns its words. */
  answer(result: JsonValue, ignored: ReadonlySet<string>): void {
    this.#answer = renamedHash(result, this.#origin, {
      ignored,
      isResult: true,
      rename: this.#given,
    });
  }

  /** Notes the call, and gives how often it was made before with the same outcome, and a fingerprint that is equal then. */
  see({ agent, command, result, asked, answered }: AnsweredCall): { key: number; repeats: number } {
    const memory = this.#memory;
    const handles = this.#handles;
    const exact = mixHash(mixHash(agent, command), result);
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
