import { RecentMap } from '../analysis/recent-map.ts';
import type { JsonValue } from '../json.ts';
import { text } from '../state/codec.ts';
import type { Trip } from '../trip.ts';
import {
  HALT,
  type Halt,
  MAX_CONVERSATIONS,
  MAX_OPEN,
  OPEN_CIRCUIT,
  type OpenCircuit,
} from './breaker-snapshot.ts';
import { Conversation } from './conversation.ts';
import type { Shared } from './conversation-parts.ts';

/** The id of the main conversation. @internal */
export const MAIN = '';
/** How many conversations are looked at, at most, to forget some for another one. */
const MOST_LOOKS = 8;

/** What is known beside the conversations that are kept. @internal */
export interface Known {
  /** The open circuits of those that are forgotten. */
  readonly open: OpenCircuits;
  /** The stop of the whole breaker, until its reset. */
  readonly halt: Halt | undefined;
}

type OpenCircuits = RecentMap<string, OpenCircuit>;

/** The main conversation of a breaker, and the others that are kept. */
export class Conversations {
  readonly main: Conversation;
  readonly #shared: Shared;
  readonly #isOne: boolean;
  /** All but the main one, the least recently used first. */
  readonly #others: Map<string, Conversation> = new Map();
  /** The open circuits of those that are forgotten. */
  #open: OpenCircuits = noCircuits();
  /** All that exist: a forgotten one may still run, and must hear of a stop. */
  readonly #existing: Set<WeakRef<Conversation>> = new Set();
  readonly #gone: FinalizationRegistry<WeakRef<Conversation>> = new FinalizationRegistry((one) => {
    this.#existing.delete(one);
  });
  /** The stop of the whole breaker, until its reset. */
  #halt: Halt | undefined;
  #latest: Conversation | undefined;
  #teams = 1;

  /**
   * `isOne` makes every id that of the main one.
   * @throws {@link InvalidOptionError}
   * @internal
   */
  constructor(shared: Shared, isOne: boolean) {
    this.#shared = shared;
    this.#isOne = isOne;
    this.main = this.create(MAIN);
  }

  /** The main one first. */
  get all(): readonly Conversation[] {
    return [this.main, ...this.others];
  }

  get others(): readonly Conversation[] {
    return [...this.#others.values()];
  }

  /** The main one, and as many others as a snapshot may hold. */
  get kept(): readonly Conversation[] {
    return [this.main, ...this.others.slice(-MAX_CONVERSATIONS)];
  }

  /** All others that are in use, also forgotten ones; the main one comes last. */
  get inUse(): readonly Conversation[] {
    const known = [...this.#existing].map((one) => one.deref() ?? this.main);
    return [...known.filter((one) => one !== this.main), this.main];
  }

  /** The conversation of this id; a new one if there is none. */
  get(id: string): Conversation {
    const conversation = this.find(id) ?? this.create(id);
    this.#keep(conversation);
    return conversation;
  }

  /** The conversation of this id, if it is kept or its circuit is open. */
  find(id: string): Conversation | undefined {
    if (id === MAIN || this.#isOne) return this.main;
    const kept = this.#others.get(id);
    if (kept !== undefined) return kept;
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    const conversation = this.create(id);
    if (this.#halt === undefined) conversation.circuit.recall(open);
    this.#keep(conversation);
    return conversation;
  }

  /** Stops all conversations, and those to come, until {@link Conversations.reset}. */
  stop(reason: string): Trip {
    this.#halt ??= { reason, at: this.main.now() };
    const trips = this.inUse.map((conversation) => conversation.stop(reason));
    return trips.at(-1) as Trip;
  }

  /** Ends the stop of the whole breaker, and resets all conversations. */
  reset(): void {
    this.#halt = undefined;
    this.#open.clear();
    for (const conversation of this.inUse) conversation.reset();
  }

  /** Lets conversations go on that the budget has stopped. */
  resume(): void {
    for (const [id, { state }] of this.#open.entries()) {
      if (state.status !== 'closed' && state.trip.kind === 'budget') this.#open.delete(id);
    }
    for (const conversation of this.inUse) conversation.resume('budget');
  }

  /** A new id for a team. */
  newId(): string {
    let id: string;
    do id = `team ${++this.#teams}`;
    while (this.#others.has(id) || this.#open.get(id) !== undefined);
    return id;
  }

  /** Forgets a conversation unless its circuit is open. */
  forget(id: string): void {
    if (this.#others.get(id)?.state.status !== 'closed') return;
    this.#others.delete(id);
    this.#latest = undefined;
  }

  /** A new conversation, kept from its first use. */
  create(id: string): Conversation {
    const conversation = new Conversation(id, this.#shared, (used) => this.#keep(used));
    const existing = new WeakRef(conversation);
    this.#existing.add(existing);
    this.#gone.register(conversation, existing);
    if (this.#halt !== undefined) conversation.beginStopped(this.#halt);
    return conversation;
  }

  /** Keeps the main one and these, and no others. */
  replaceOthers(conversations: readonly Conversation[]): void {
    this.#others.clear();
    this.#latest = undefined;
    for (const conversation of conversations) this.#others.set(conversation.id, conversation);
  }

  /** What is known beside those that are {@link Conversations.kept}. */
  snapshot(): { readonly open: JsonValue; readonly halt: JsonValue } {
    const open = noCircuits();
    for (const [id, circuit] of this.#open.entries()) open.set(id, circuit);
    for (const { id, circuit } of this.others.slice(0, -MAX_CONVERSATIONS)) {
      if (circuit.kept !== undefined) open.set(id, circuit.kept);
    }
    const halt = this.#halt;
    const reason = this.main.disclosure.reason(halt?.reason ?? '');
    return { open: open.snapshot(), halt: halt ? HALT.write({ ...halt, reason }) : null };
  }

  /** Takes over what was known in a snapshot. */
  know({ open, halt }: Known): void {
    this.#open = open;
    this.#halt = halt;
  }

  /** Marks a conversation as the latest. Beyond the bound, others are forgotten; of open ones, the circuit is kept. */
  #keep(conversation: Conversation): void {
    const { id } = conversation;
    const halt = this.#halt;
    if (halt !== undefined && conversation.state.status !== 'stopped')
      conversation.stop(halt.reason);
    if (id === MAIN || conversation === this.#latest) return;
    this.#latest = conversation;
    this.#open.delete(id);
    this.#others.delete(id);
    this.#others.set(id, conversation);
    // Those under way are looked at later again, and few at a time: there may be thousands of them.
    for (let looks = MOST_LOOKS; looks > 0 && this.#others.size > MAX_CONVERSATIONS; looks--) {
      const oldest = this.#oldest(conversation);
      this.#others.delete(oldest.id);
      const { kept } = oldest.circuit;
      if (oldest.isUnderWay) this.#others.set(oldest.id, oldest);
      else if (kept !== undefined) this.#open.set(oldest.id, kept);
    }
  }

  /** The oldest closed one, or else the oldest. */
  #oldest(latest: Conversation): Conversation {
    for (const one of this.#others.values()) {
      if (one.state.status === 'closed' && one !== latest) return one;
    }
    const [oldest = latest] = this.#others.values();
    return oldest;
  }
}

/** Reads what a snapshot holds beside the conversations. @throws {@link InvalidSnapshotError} @internal */
export function readKnown({
  open = [],
  halt = null,
}: {
  readonly open?: unknown;
  readonly halt?: unknown;
}): Known {
  const circuits = noCircuits();
  circuits.restore('open', open);
  return { open: circuits, halt: halt === null ? undefined : HALT.read('halt', halt) };
}

function noCircuits(): OpenCircuits {
  return new RecentMap(MAX_OPEN, text, OPEN_CIRCUIT);
}
