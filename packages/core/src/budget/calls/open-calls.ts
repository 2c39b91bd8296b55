import type { JsonValue } from '../../json.ts';
import type { ModelRequestSignal, UsageSignal } from '../../signal/signal.ts';
import { amount, type Codec, flag, list, nullable, pair, record, text } from '../../state/codec.ts';

/** A model call under way: what it is expected to take, and from whom. @internal */
export interface OpenCall {
  /** What the store knows its reservation by; `null` if nothing is reserved. */
  readonly id: string | null;
  readonly agent: string;
  readonly model: string;
  /** The purse of its conversation, which may have begun another one since. */
  readonly conversation: string;
  readonly nanoUsd: number;
  readonly tokens: number;
  /** Whether the money was estimated, so that it can stand for what nobody reports. */
  readonly isPriced: boolean;
  /** The same of the tokens. */
  readonly isCounted: boolean;
}

/** Calls with nothing reserved that a caller never ends: the oldest are forgotten beyond so many. */
const MAX_UNRESERVED = 4096;
/** Calls that a conversation may have under way. What is reserved for a forgotten one would be held beside what it took. @internal */
export const MAX_CALLS = 65_536;

const CALLS: Codec<readonly (readonly [string, OpenCall])[]> = list(
  pair(
    text,
    record<OpenCall>({
      id: nullable(text),
      agent: text,
      model: text,
      conversation: text,
      nanoUsd: amount,
      tokens: amount,
      isPriced: flag,
      isCounted: flag,
    }),
  ),
  MAX_CALLS,
);

/**
 * The model calls of a conversation that are under way. What a caller calls them need not be unique: of calls with equal
 * ids, or without ids, the oldest ends first.
 *
 * @internal
 */
export class OpenCalls {
  readonly #byKey: Map<string, OpenCall[]> = new Map();
  #size = 0;
  /** The calls that were under way when the circuit opened. */
  #before: readonly OpenCall[] = [];

  /** Takes a call in, unless it has a reservation and there are too many. Says whether it did. */
  begin(signal: ModelRequestSignal, call: OpenCall): boolean {
    if (call.id !== null && this.#size >= MAX_CALLS) return false;
    this.#add(keyOf(signal), call);
    return true;
  }

  /** Forgets reservations that have expired, if there is no room for another one. */
  makeRoom(isHeld: (id: string) => boolean): void {
    if (this.#size < MAX_CALLS) return;
    for (const [key, calls] of [...this.#byKey]) {
      const kept = calls.filter(({ id }) => id === null || isHeld(id));
      this.#size -= calls.length - kept.length;
      if (kept.length === 0) this.#byKey.delete(key);
      else this.#byKey.set(key, kept);
    }
  }

  /** Ends the call that a usage belongs to. */
  end(signal: UsageSignal): OpenCall | undefined {
    const key = keyOf(signal);
    const [first] = this.#byKey.get(key) ?? [];
    if (first !== undefined) this.#remove(key, first);
    return first;
  }

  /** Gives a call up that is not made. */
  drop(signal: ModelRequestSignal, call: OpenCall): void {
    this.#remove(keyOf(signal), call);
  }

  /** Remembers which calls are under way. */
  mark(): void {
    this.#before = [...this.#byKey.values()].flat();
  }

  /** Gives up the calls that were under way at the latest mark and still are. */
  takeMarked(): readonly OpenCall[] {
    const before = new Set(this.#before);
    this.#before = [];
    const taken: OpenCall[] = [];
    for (const [key, calls] of [...this.#byKey]) {
      for (const call of calls.filter((one) => before.has(one))) {
        this.#remove(key, call);
        taken.push(call);
      }
    }
    return taken;
  }

  /** Gives up all calls. */
  takeAll(): readonly OpenCall[] {
    this.mark();
    return this.takeMarked();
  }

  snapshot(): JsonValue {
    const calls = [...this.#byKey].flatMap(([key, all]) => all.map((call) => [key, call] as const));
    return CALLS.write(calls);
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(snapshot: unknown): void {
    const calls = CALLS.read('spend.calls', snapshot);
    this.#byKey.clear();
    this.#size = 0;
    this.#before = [];
    for (const [key, call] of calls) this.#add(key, call);
  }

  #add(key: string, call: OpenCall): void {
    const calls = this.#byKey.get(key);
    if (calls === undefined) this.#byKey.set(key, [call]);
    else calls.push(call);
    this.#size++;
    if (call.id === null && this.#size > MAX_UNRESERVED) this.#forgetOldest();
  }

  #forgetOldest(): void {
    for (const [key, calls] of this.#byKey) {
      const unreserved = calls.find(({ id }) => id === null);
      if (unreserved === undefined) continue;
      this.#remove(key, unreserved);
      return;
    }
  }

  #remove(key: string, call: OpenCall): void {
    const calls = this.#byKey.get(key) ?? [];
    const at = calls.indexOf(call);
    if (at < 0) return;
    this.#size--;
    if (calls.length === 1) this.#byKey.delete(key);
    else calls.splice(at, 1);
  }
}

/** A call without an id is known by its agent. */
function keyOf({ requestId, agent }: ModelRequestSignal | UsageSignal): string {
  return requestId === undefined ? `agent:${agent}` : `request:${requestId}`;
}
