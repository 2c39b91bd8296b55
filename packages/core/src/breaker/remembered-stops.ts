import type { CircuitState } from '../circuit/circuit.ts';
import { OPEN_CIRCUIT, type OpenCircuit } from '../circuit/circuit-codec.ts';
import { BoundedMap } from '../common/bounded-map.ts';
import type { JsonValue } from '../common/json.ts';
import { Tenant } from '../signal/tenant.ts';
import { list, pair, text } from '../state/codec.ts';
import { RecentMap } from '../state/stateful.ts';
import { MAX_OPEN, TENANT_STOP, type TenantStop } from './breaker-snapshot.ts';

type OpenCircuits = RecentMap<string, OpenCircuit>;

/** A conversation that may be forgotten. */
interface Forgettable {
  readonly id: string;
  readonly parts: { readonly circuit: { readonly openCircuit: OpenCircuit | undefined } };
}

/** What {@link RememberedStops} is in a snapshot. */
export interface RememberedStopsSnapshot {
  readonly open: JsonValue;
  readonly halt: JsonValue;
  readonly halts: JsonValue;
}

/** The stops of tenants, and the open circuits of conversations that are forgotten. */
export class RememberedStops {
  readonly tenants: TenantStops = new TenantStops();
  /** By the id of the conversation. */
  readonly open: OpenCircuits = noCircuits();

  /** Reads {@link RememberedStops.snapshot}. @throws {@link InvalidSnapshotError} */
  static of({
    open = [],
    halt = null,
    halts = [],
  }: Partial<RememberedStopsSnapshot>): RememberedStops {
    const remembered = new RememberedStops();
    remembered.open.restore('open', open);
    remembered.tenants.restore(halt, halts);
    return remembered;
  }

  /** Keeps the circuit of a conversation that is forgotten, if it is open. */
  keep({ id, parts: { circuit } }: Forgettable, open: OpenCircuits = this.open): void {
    const { openCircuit } = circuit;
    if (openCircuit !== undefined) open.set(id, openCircuit);
  }

  /** Forgets the open circuits that are meant. */
  forget(isMeant: (id: string, state: CircuitState) => boolean): void {
    for (const [id, { state }] of this.open.entries()) if (isMeant(id, state)) this.open.delete(id);
  }

  /** `shown` is what may be quoted of a reason, `others` count as forgotten. */
  snapshot(
    shown: (reason: string) => string,
    others: readonly Forgettable[],
  ): RememberedStopsSnapshot {
    const open = noCircuits();
    for (const [id, circuit] of this.open.entries()) open.set(id, circuit);
    for (const one of others) this.keep(one, open);
    return { open: open.snapshot(), ...this.tenants.snapshot(shown) };
  }
}

function noCircuits(): OpenCircuits {
  return new RecentMap(MAX_OPEN, text, OPEN_CIRCUIT);
}

const TENANT_STOPS = list(pair(text, TENANT_STOP), MAX_OPEN);

/** The stops of the whole breaker and of tenants, until their resets. The latest 10,000 of tenants are kept. */
export class TenantStops {
  #all: TenantStop | undefined;
  /** By prefix, the oldest first. */
  readonly #tenants: BoundedMap<string, TenantStop> = new BoundedMap(MAX_OPEN);

  /** The stop that a tenant is under. */
  of({ prefixes }: Tenant): TenantStop | undefined {
    if (this.#all !== undefined || this.#tenants.size === 0) return this.#all;
    const prefix = prefixes.find((one) => this.#tenants.has(one));
    return prefix === undefined ? undefined : this.#tenants.get(prefix);
  }

  /** A tenant that is stopped already keeps its first stop. */
  add({ prefix }: Tenant, stop: TenantStop): void {
    if (prefix === '') this.#all ??= stop;
    else if (!this.#tenants.has(prefix)) this.#tenants.set(prefix, stop);
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
    const quoted = (stop: TenantStop): TenantStop => ({ ...stop, reason: shown(stop.reason) });
    const halts = this.#tenants.entries().map(([prefix, stop]) => [prefix, quoted(stop)] as const);
    return {
      halt: this.#all ? TENANT_STOP.write(quoted(this.#all)) : null,
      halts: TENANT_STOPS.write(halts),
    };
  }

  /** @throws {@link InvalidSnapshotError}; nothing has changed then. */
  restore(halt: unknown, halts: unknown): void {
    const all = halt === null ? undefined : TENANT_STOP.read('halt', halt);
    const tenants = TENANT_STOPS.read('halts', halts);
    this.#all = all;
    this.#tenants.clear();
    for (const [prefix, one] of tenants) this.#tenants.set(prefix, one);
  }
}
