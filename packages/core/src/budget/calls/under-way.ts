import { type Codec, flag, list, number, pair, record, text } from '../../state/codec.ts';
import { type Amount, NOTHING } from '../amount.ts';
import { UNSIZED, WHOLE } from '../purses.ts';
import type { Purse } from '../store/budget-store.ts';

interface Reservation {
  readonly at: number;
  readonly isSized: boolean;
}

/** What is known of a reservation that was made here, not before a restart. */
interface OwnReservation extends Reservation {
  readonly amount?: Amount;
  /** The smaller purses it is held in. */
  readonly purses?: readonly Purse[];
}

/** The reservations under way as a snapshot holds them. @internal */
export type Reservations = readonly (readonly [string, Reservation])[];

/** How they are written and read back. @internal */
export const RESERVATIONS: Codec<Reservations> = list(
  pair(text, record<Reservation>({ at: number, isSized: flag })),
);

/** The reservations of one breaker that were asked for and have not ended. @internal */
export class UnderWay {
  /** The oldest first. */
  readonly #reservations: Map<string, OwnReservation> = new Map();
  readonly #lastsMs: number;

  constructor(lastsMs: number) {
    this.#lastsMs = lastsMs;
  }

  /** Whether one is of a call of unknown size. */
  get hasUnsized(): boolean {
    for (const { isSized } of this.#reservations.values()) if (!isSized) return true;
    return false;
  }

  /** Whether one is held, as far as is known, in one of the purses of these names. */
  isAnyIn(names: readonly string[]): boolean {
    if (this.#reservations.size === 0 || names.length === 0) return false;
    if (names.includes(WHOLE)) return true;
    for (const { isSized, purses } of this.#reservations.values()) {
      if (purses === undefined || purses.some(({ name }) => names.includes(name))) return true;
      if (!isSized && names.includes(UNSIZED)) return true;
    }
    return false;
  }

  /** When the oldest one expires, if there is one. */
  get expiresAt(): number | undefined {
    const [oldest] = this.#reservations.values();
    return oldest && oldest.at + this.#lastsMs;
  }

  /** What is held under an id, as far as is known. */
  heldUnder(id: string): Amount {
    return this.#reservations.get(id)?.amount ?? NOTHING;
  }

  has(id: string): boolean {
    return this.#reservations.has(id);
  }

  begin(id: string, reservation: OwnReservation): void {
    this.#reservations.set(id, reservation);
  }

  end(id: string): void {
    this.#reservations.delete(id);
  }

  /** Gives up those that were never ended. Returns whether there were any. */
  expire(now: number): boolean {
    const { size } = this.#reservations;
    for (const [id, { at }] of this.#reservations) {
      if (at > now - this.#lastsMs) break;
      this.#reservations.delete(id);
    }
    return this.#reservations.size < size;
  }

  get state(): Reservations {
    return [...this.#reservations];
  }

  set state(reservations: Reservations) {
    this.#reservations.clear();
    for (const [id, one] of reservations) this.#reservations.set(id, one);
  }
}
