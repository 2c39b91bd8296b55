import type { CircuitEvent } from '@teamfuse/core/sharing';
import { type CircuitStore, MemoryCircuitStore, type StoredCircuit } from '@teamfuse/stores/fleet';
import { describe, expect, it } from 'vitest';
import { type CircuitStoreSetup, circuitStoreContract } from '../../src/index.ts';

/** One store for each fleet. */
function fleetOf<T extends CircuitStore>(create: (now: () => number) => T) {
  const stores = new Map<string, T>();
  return ({ fleet, now }: CircuitStoreSetup): T => {
    const store = stores.get(fleet) ?? create(now);
    stores.set(fleet, store);
    return store;
  };
}

class Memory extends MemoryCircuitStore {
  constructor(now: () => number) {
    super({ now });
  }
}

describe('MemoryCircuitStore', () => {
  for (const { id, title, check } of circuitStoreContract(fleetOf((now) => new Memory(now)))) {
    it(`[${id}] ${title}`, check);
  }
});

/** Looks whether a probe is due, waits, and grants it then. */
class Hasty extends Memory {
  override apply(id: string, event: CircuitEvent, cooldownMs: number): never {
    const before = super.apply(id, { type: 'probe-passed', probeId: -1 }, cooldownMs);
    return new Promise((resolve) => {
      setImmediate(() => {
        const { state, at, version } = before;
        const isDue = event.type === 'probe' && state.status === 'open' && at >= state.probeFrom;
        if (!isDue) return resolve(super.apply(id, event, cooldownMs));
        const { trip, openings } = state;
        const { probeId } = event;
        const granted = { status: 'half-open', trip, probeId, openings, probeUntil: at } as const;
        super.apply(id, event, cooldownMs);
        resolve({ state: granted, at, version: version + 1 });
      });
    }) as never;
  }
}

/** Does not back off. */
class Eager extends Memory {
  override apply(id: string, event: CircuitEvent, cooldownMs: number): StoredCircuit {
    const answer = super.apply(id, event, cooldownMs);
    if (answer.state.status !== 'open' || answer.state.openings === 1) return answer;
    const probeFrom = answer.state.openedAt + cooldownMs;
    return { ...answer, state: { ...answer.state, probeFrom } };
  }
}

/** Tells of nothing that was before. */
class Forgetful extends Memory {
  override follow(...[changed]: Parameters<CircuitStore['follow']>) {
    let isTold = false;
    const following = super.follow((changes) => {
      if (isTold) changed(changes);
    });
    isTold = true;
    return following;
  }
}

/** Never ends to tell. */
class Talkative extends Memory {
  override follow(...[changed]: Parameters<CircuitStore['follow']>) {
    return { ...super.follow(changed), end: () => {} };
  }
}

/** Keeps the reason of a trip alone. */
class Terse extends Memory {
  override apply(id: string, event: CircuitEvent, cooldownMs: number): StoredCircuit {
    if (!('trip' in event)) return super.apply(id, event, cooldownMs);
    const trip = { ...event.trip, evidence: { ...event.trip.evidence, limit: 0 } };
    return super.apply(id, { ...event, trip }, cooldownMs);
  }
}

/** Has several connections, of which the first is slow. */
class Pooled extends Memory {
  override apply(id: string, event: CircuitEvent, cooldownMs: number): never {
    const turns = event.type === 'stop' ? 2 : 0;
    const apply = async (): Promise<StoredCircuit> => {
      for (let turn = 0; turn < turns; turn++) await null;
      return super.apply(id, event, cooldownMs);
    };
    return apply() as never;
  }
}

describe('a circuit store that breaks the rules', () => {
  it.each([
    ['grants what it looked at a moment ago', Hasty, 'CST4'],
    ['does not back off', Eager, 'CST1'],
    ['tells of nothing that was before', Forgetful, 'CST3'],
    ['never ends', Talkative, 'CST2'],
    ['keeps half of a trip', Terse, 'CST5'],
    ['has several connections', Pooled, 'CST6'],
  ])('[CON9] fails: %s', async (_, Broken, rule) => {
    const checks = circuitStoreContract(fleetOf((now) => new Broken(now)));
    const failed: string[] = [];
    for (const { id, check } of checks) {
      await check().catch((error) => {
        expect(error).toMatchObject({ name: 'ContractViolationError', rule: id });
        failed.push(id);
      });
    }
    expect(failed).toContain(rule);
  });
});
