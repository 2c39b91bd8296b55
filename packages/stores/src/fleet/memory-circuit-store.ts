import type { CircuitState } from '@teamfuse/core';
import { checkNames, functionOf, type OptionNames } from '@teamfuse/core/options';
import { type CircuitEvent, CLOSED, transition } from '@teamfuse/core/sharing';
import type { CircuitStore, Following, StoredChange, StoredCircuit } from './circuit-store.ts';

/** Options of {@link MemoryCircuitStore}. */
export interface MemoryCircuitStoreOptions {
  /** The clock, in milliseconds. @defaultValue Date.now */
  readonly now?: () => number;
}

const NAMES: OptionNames<MemoryCircuitStoreOptions> = { now: true };

/** Shares circuits between the breakers of one process. */
export class MemoryCircuitStore implements CircuitStore {
  readonly #now: () => number;
  /** Those that are not closed. */
  readonly #circuits: Map<string, CircuitState> = new Map();
  readonly #followers: Set<(changes: readonly StoredChange[]) => void> = new Set();
  #version = 0;

  /** @throws {@link InvalidOptionError} */
  constructor(options: MemoryCircuitStoreOptions = {}) {
    checkNames('', options, NAMES);
    this.#now = functionOf('now', options.now ?? Date.now);
  }

  apply(id: string, event: CircuitEvent, cooldownMs: number): StoredCircuit {
    const at = this.#now();
    const before = this.#circuits.get(id) ?? CLOSED;
    const state = transition(before, event, at, cooldownMs);
    if (state === before) return { state, at, version: this.#version };
    const change = { id, state, at, version: ++this.#version };
    if (state.status === 'closed') this.#circuits.delete(id);
    else this.#circuits.set(id, state);
    for (const changed of this.#followers) changed([change]);
    return change;
  }

  follow(changed: (changes: readonly StoredChange[]) => void): Following {
    this.#followers.add(changed);
    const [at, version] = [this.#now(), this.#version];
    changed([...this.#circuits].map(([id, state]) => ({ id, state, at, version })));
    const end = (): void => {
      this.#followers.delete(changed);
    };
    return { known: undefined, end };
  }
}
