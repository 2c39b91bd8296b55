import { BoundedMap } from '../../common/bounded-map.ts';
import { uniqueId } from '../../common/clock.ts';
import type { Finding } from '../../detection/finding.ts';
import type { ModelRequestSignal, UsageSignal } from '../../signal/signal.ts';
import { type Codec, count, flag, list, number, orElse, record, text } from '../../state/codec.ts';
import { type Amount, add, NOTHING } from '../amount.ts';
import { AMOUNT, AMOUNT_FIELDS } from '../amount-codec.ts';
import { type Spender, UNSIZED, WHOLE } from '../purses.ts';

/** A model call, as the budget knows it. */
export interface BudgetedCall extends Spender {
  readonly model: string;
  /** Identifies its usage in the conversation: the request id, or else the agent. */
  readonly usageKey: string;
  /** The most it is expected to take, with its tokens as limits count them. */
  readonly amount: Amount;
  /** Tokens beyond these that do not count, as they are likely to be read from a cache. */
  readonly discount: number;
  /** Whether the money is an estimate, which counts if no cost is reported. */
  readonly isPriced: boolean;
  /** The same of the tokens. */
  readonly isCounted: boolean;
}

/** A model call that asks for a reservation. */
export interface RequestedCall extends BudgetedCall {
  /** The money that it takes with a usual answer: alone in its purses, it may begin while that is left. */
  readonly usualNanoUsd: () => number;
  /** Whether its price is known to be unknown. */
  readonly isUnpriced: boolean;
  /** Whether it may use the reserve for calls that wrap up. */
  readonly isWrapUp: boolean;
}

/** What the budget has reserved for a model call. */
export interface Reservation extends BudgetedCall {
  /** Its id in the store. */
  readonly id: string;
  /** When it was requested, in milliseconds. */
  readonly at: number;
  /** The day whose purses pay for it; empty if there are none. */
  readonly day: string;
  /** Its purses, {@link UNSIZED} included; none without limits. */
  readonly purses: readonly string[];
}

export interface Refusal {
  readonly reservation?: undefined;
  readonly finding: Finding;
  /** The purses in which it would fit after running calls of this breaker; empty if waiting is pointless. */
  readonly waitsFor: readonly string[];
}

/** The answer to a {@link RequestedCall}. */
export type BudgetAnswer =
  | { readonly reservation: Reservation; readonly finding?: undefined }
  | Refusal;

/** The key of the call that a request or a usage belongs to. */
export function usageKey({ requestId, agent }: ModelRequestSignal | UsageSignal): string {
  return requestId === undefined ? `agent:${agent}` : `request:${requestId}`;
}

/** What tells the call that a usage belongs to. */
type CallKey = Pick<BudgetedCall, 'conversation' | 'usageKey'>;

export function callKeyOf({ conversation, usageKey }: CallKey): string {
  return `${conversation.length}:${conversation}${usageKey}`;
}

/** A reservation in a snapshot. */
export interface SavedReservation extends Reservation {
  /** Whether its usage is pending. */
  readonly isOpen: boolean;
}

const SAVED = record<Omit<SavedReservation, 'usageKey'> & { readonly apiKey: string }>({
  id: text,
  at: number,
  day: orElse(text, ''),
  conversation: text,
  run: count,
  agent: text,
  model: text,
  // What may be missing is so in older snapshots.
  user: orElse(text, ''),
  team: orElse(text, ''),
  apiKey: orElse(text, ''),
  key: text,
  amount: AMOUNT,
  discount: orElse(AMOUNT_FIELDS.tokens, 0),
  isPriced: flag,
  isCounted: flag,
  purses: list(text),
  isOpen: flag,
});

/** Reservations in a snapshot, where the key of the usage has the name `key`. */
export const RESERVATIONS: Codec<readonly SavedReservation[]> = list({
  write: ({ usageKey, key = '', ...own }) => SAVED.write({ ...own, apiKey: key, key: usageKey }),
  read: (path, json) => {
    const { apiKey, key: usageKey = '', ...own } = SAVED.read(path, json);
    return { ...own, key: apiKey, usageKey };
  },
});

/** Most reservations of one conversation. */
const MAX_RESERVATIONS = 65_536;
/** Beyond so many reservations nobody counts them for a reason. */
const MAX_COUNTED = 1000;
/** Most calls that are remembered after their reservation expired, or without one. */
const MAX_LAPSED = 4096;

/**
 * The reservations of one breaker, from the request until the store has booked the actual spend.
 *
 * A reservation is *open* from its grant until the usage of its call. Of calls with the same key, the oldest ends first.
 */
export class Reservations {
  readonly max: number;
  /** Milliseconds after which one expires. */
  readonly lastsMs: number;
  /** Makes the ids unique across breakers and processes. */
  readonly #prefix: string = uniqueId();
  #lastId = 0;
  /** Those in the store, the oldest first. */
  readonly #stored: Map<string, Reservation> = new Map();
  /** Open ones that are not in the store: expired, or made without limits. The oldest first. */
  readonly #lapsed: BoundedMap<string, Reservation> = new BoundedMap(MAX_LAPSED);
  /** The open ones by conversation and key, the oldest first. */
  readonly #byKey: Map<string, Reservation[]> = new Map();
  /** The conversation and key of the open ones, by their ids. */
  readonly #open: Map<string, string> = new Map();

  constructor(lastsMs: number, max: number = MAX_RESERVATIONS) {
    this.lastsMs = lastsMs;
    this.max = max;
  }

  /** How many have been made so far. */
  get made(): number {
    return this.#lastId;
  }

  get hasUnsized(): boolean {
    return this.isAnyIn([UNSIZED]);
  }

  get expiresAt(): number | undefined {
    const [oldest] = this.#stored.values();
    return oldest && oldest.at + this.lastsMs;
  }

  isFull(conversation: string): boolean {
    if (this.#stored.size < this.max) return false;
    const own = [...this.#stored.values()].filter((one) => one.conversation === conversation);
    return own.length >= this.max;
  }

  /** Whether there is a reservation in one of these purses. */
  isAnyIn(names: readonly string[]): boolean {
    if (this.#stored.size === 0 || names.length === 0) return false;
    if (names.includes(WHOLE)) return true;
    for (const { purses } of this.#stored.values()) {
      if (purses.some((name) => names.includes(name))) return true;
    }
    return false;
  }

  /** The number of reservations in a purse, if they account for all of `reserved` and are few enough to be counted. */
  countIn(purse: string, reserved: Amount): number | undefined {
    if (this.#stored.size > MAX_COUNTED) return undefined;
    let [calls, nanoUsd, tokens] = [0, 0, 0];
    for (const { purses, amount } of this.#stored.values()) {
      if (!purses.includes(purse)) continue;
      calls++;
      nanoUsd += amount.nanoUsd;
      tokens += amount.tokens;
    }
    return nanoUsd === reserved.nanoUsd && tokens === reserved.tokens ? calls : undefined;
  }

  /** What is reserved for calls of some conversations. */
  heldBy(isOne: (conversation: string) => boolean): Amount {
    let held = NOTHING;
    for (const { conversation, amount } of this.#stored.values()) {
      if (isOne(conversation)) held = add(held, amount);
    }
    return held;
  }

  amountUnder(id: string): Amount {
    return this.#stored.get(id)?.amount ?? NOTHING;
  }

  /** The open ones of a conversation among the `first` that were made. */
  openOf(conversation: string, first: number = this.made): readonly Reservation[] {
    return this.#all.filter(
      (one) =>
        one.conversation === conversation && this.#open.has(one.id) && this.#numberOf(one) <= first,
    );
  }

  begin(call: BudgetedCall, purses: readonly string[], at: number, day = ''): Reservation {
    const { conversation, run, agent, model, user = '', team = '', key = '' } = call;
    const { usageKey, amount, discount, isPriced, isCounted } = call;
    const id = `${this.#prefix}:${++this.#lastId}`;
    const spender = { conversation, run, agent, model, user, team, key };
    const size = { amount, discount, isPriced, isCounted };
    const reservation = { id, at, day, ...spender, usageKey, ...size, purses };
    if (purses.length > 0) this.#stored.set(id, reservation);
    return reservation;
  }

  /** Marks a reservation as granted. */
  grant(reservation: Reservation): void {
    const key = callKeyOf(reservation);
    const line = this.#byKey.get(key);
    if (line === undefined) this.#byKey.set(key, [reservation]);
    else line.push(reservation);
    this.#open.set(reservation.id, key);
    if (!this.#stored.has(reservation.id)) this.#lapse(reservation);
  }

  /** Closes the reservation that a usage belongs to. It counts until {@link Reservations.end}. */
  closeFor(call: CallKey): Reservation | undefined {
    const [oldest] = this.#byKey.get(callKeyOf(call)) ?? [];
    if (oldest !== undefined) this.close(oldest);
    return oldest;
  }

  /** Closes a reservation. Returns whether it was open. */
  close({ id }: Reservation): boolean {
    const key = this.#open.get(id);
    if (key === undefined) return false;
    this.#open.delete(id);
    this.#lapsed.delete(id);
    const line = this.#byKey.get(key) ?? [];
    if (line.length === 1) this.#byKey.delete(key);
    else
      line.splice(
        line.findIndex((one) => one.id === id),
        1,
      );
    return true;
  }

  /** Removes a reservation that the store has released. */
  end(id: string): void {
    this.#stored.delete(id);
  }

  /** Expires old reservations. Returns whether there were any. */
  expire(now: number): boolean {
    const { size } = this.#stored;
    for (const [id, reservation] of this.#stored) {
      if (reservation.at > now - this.lastsMs) break;
      this.#stored.delete(id);
      if (this.#open.has(id)) this.#lapse(reservation);
    }
    return this.#stored.size < size;
  }

  get state(): readonly SavedReservation[] {
    return this.#all.map((one) => ({ ...one, isOpen: this.#open.has(one.id) }));
  }

  set state(reservations: readonly SavedReservation[]) {
    for (const part of [this.#stored, this.#lapsed, this.#byKey, this.#open]) part.clear();
    for (const { isOpen, ...reservation } of reservations) {
      if (reservation.purses.length > 0) this.#stored.set(reservation.id, reservation);
      if (isOpen) this.grant(reservation);
    }
  }

  get #all(): readonly Reservation[] {
    return [...this.#lapsed.values(), ...this.#stored.values()];
  }

  /** A restored reservation precedes all of this process. */
  #numberOf({ id }: Reservation): number {
    return id.startsWith(this.#prefix) ? Number(id.slice(this.#prefix.length + 1)) : 0;
  }

  #lapse(reservation: Reservation): void {
    const gone = this.#lapsed.set(reservation.id, reservation);
    if (gone !== undefined) this.close(gone[1]);
  }
}
