import type { CircuitState } from '@teamfuse/core';
import { CLOSED, transition } from '@teamfuse/core/sharing';
import type { StoredCircuit } from '../../src/fleet/circuit-store.ts';
import type { Changes, CircuitChange, CircuitServer } from '../../src/server/index.ts';

interface Kept {
  readonly state: CircuitState;
  readonly version: number;
}

/** Circuits in memory, in place of a server. Each question takes some turns of the event loop, by its kind. */
export class CircuitBooks implements CircuitServer {
  readonly #now: () => number;
  readonly #circuits: Map<string, Kept> = new Map();
  #version = 0;
  /** Called with each change. */
  changed: () => void = () => {};

  constructor(now: () => number) {
    this.#now = now;
  }

  async apply({ id, event, cooldownMs }: CircuitChange): Promise<StoredCircuit> {
    // As over several connections, of which some are slower.
    for (let turn = 0; turn < event.type.length % 5; turn++) await null;
    const at = this.#now();
    const before = this.#circuits.get(id)?.state ?? CLOSED;
    const state = transition(before, event, at, cooldownMs);
    if (state !== before) {
      this.#circuits.set(id, { state, version: ++this.#version });
      this.changed();
    }
    return { state, at, version: this.#version };
  }

  async agree(): Promise<Record<string, string>> {
    return {};
  }

  async since(known: number): Promise<Changes> {
    const [at, version] = [this.#now(), this.#version];
    const later = [...this.#circuits].filter(([, one]) => one.version > known);
    return {
      version,
      isAll: known === 0,
      changes: later.map(([id, { state }]) => ({ id, state, at, version })),
    };
  }
}
