import { BoundedMap } from '../../bounded-map.ts';
import type { JsonValue } from '../../json.ts';
import { list, pair, text } from '../../state/codec.ts';
import { Tenant } from '../../tenant.ts';
import { HALT, type Halt, MAX_OPEN } from '../breaker-snapshot.ts';

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
