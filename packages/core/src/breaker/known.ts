import type { CircuitState } from '../circuit/circuit.ts';
import { OPEN_CIRCUIT, type OpenCircuit } from '../circuit/circuit-codec.ts';
import { BoundedMap } from '../common/bounded-map.ts';
import type { JsonValue } from '../common/json.ts';
import { Tenant } from '../signal/tenant.ts';
import { list, pair, text } from '../state/codec.ts';
import { RecentMap } from '../state/stateful.ts';
import { HALT, type Halt, MAX_OPEN } from './breaker-snapshot.ts';

type OpenCircuits = RecentMap<string, OpenCircuit>;

/** A conversation, and what is kept of its circuit. */
interface Kept {
  readonly id: string;
  readonly parts: { readonly circuit: { readonly kept: OpenCircuit | undefined } };
}

/** What {@link Known} is in a snapshot. */
export interface KnownSnapshot {
  readonly open: JsonValue;
  readonly halt: JsonValue;
  readonly halts: JsonValue;
}

/** What is known beside the conversations that are kept: the stops of tenants, and the open circuits of those that are forgotten. */
export class Known {
  readonly halts: Halts = new Halts();
  /** By the id of the conversation. */
  readonly open: OpenCircuits = noCircuits();

  /** Reads {@link Known.snapshot}. @throws {@link InvalidSnapshotError} */
  static of({ open = [], halt = null, halts = [] }: Partial<KnownSnapshot>): Known {
    const known = new Known();
    known.open.restore('open', open);
    known.halts.restore(halt, halts);
    return known;
  }

  /** Keeps the circuit of a conversation that is forgotten, if it is open. */
  keep({ id, parts: { circuit } }: Kept, open: OpenCircuits = this.open): void {
    if (circuit.kept !== undefined) open.set(id, circuit.kept);
  }

  /** Forgets the open circuits that are meant. */
  forget(isMeant: (id: string, state: CircuitState) => boolean): void {
    for (const [id, { state }] of this.open.entries()) if (isMeant(id, state)) this.open.delete(id);
  }

  /** `shown` is what may be quoted of a reason, `others` count as forgotten. */
  snapshot(shown: (reason: string) => string, others: readonly Kept[]): KnownSnapshot {
    const open = noCircuits();
    for (const [id, circuit] of this.open.entries()) open.set(id, circuit);
    for (const one of others) this.keep(one, open);
    return { open: open.snapshot(), ...this.halts.snapshot(shown) };
  }
}

function noCircuits(): OpenCircuits {
  return new RecentMap(MAX_OPEN, text, OPEN_CIRCUIT);
}

const HALTS = list(pair(text, HALT), MAX_OPEN);

/** The stops of the whole breaker and of tenants, until their resets. The latest 10,000 of tenants are kept. */
export class Halts {
  #all: Halt | undefined;
  /** By prefix, the oldest first. */
  readonly #tenants: BoundedMap<string, Halt> = new BoundedMap(MAX_OPEN);

  /** The stop that a tenant is under. */
  of({ within }: Tenant): Halt | undefined {
    if (this.#all !== undefined || this.#tenants.size === 0) return this.#all;
    const prefix = within.find((one) => this.#tenants.has(one));
    return prefix === undefined ? undefined : this.#tenants.get(prefix);
  }

  /** A tenant that is stopped already keeps its first stop. */
  add({ prefix }: Tenant, halt: Halt): void {
    if (prefix === '') this.#all ??= halt;
    else if (!this.#tenants.has(prefix)) this.#tenants.set(prefix, halt);
  }

  /** Ends the stops of a tenant and of all that belong to it. Returns the prefixes of those that were stopped. */
  end(tenant: Tenant): readonly string[] {
    const ended = this.#tenants
      .entries()
      .map(([prefix]) => prefix)
      .filter((prefix) => tenant.has(Tenant.of(prefix)));
    for (const prefix of ended) this.#tenants.delete(prefix);
    if (tenant !== Tenant.everybody || this.#all === undefined) return ended;
    this.#all = undefined;
    return ['', ...ended];
  }

  /** `shown` is what may be quoted of a reason. */
  snapshot(shown: (reason: string) => string): {
    readonly halt: JsonValue;
    readonly halts: JsonValue;
  } {
    const quoted = (halt: Halt): Halt => ({ ...halt, reason: shown(halt.reason) });
    const halts = this.#tenants.entries().map(([prefix, halt]) => [prefix, quoted(halt)] as const);
    return { halt: this.#all ? HALT.write(quoted(this.#all)) : null, halts: HALTS.write(halts) };
  }

  /** @throws {@link InvalidSnapshotError}; nothing has changed then. */
  restore(halt: unknown, halts: unknown): void {
    const all = halt === null ? undefined : HALT.read('halt', halt);
    const tenants = HALTS.read('halts', halts);
    this.#all = all;
    this.#tenants.clear();
    for (const [prefix, one] of tenants) this.#tenants.set(prefix, one);
  }
}
