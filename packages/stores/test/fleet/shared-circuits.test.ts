import { Breaker, type BreakerOptions } from '@teamfuse/core';
import type { Detector } from '@teamfuse/core/detectors';
import { type Admission, internalsOf } from '@teamfuse/core/kit';
import type { CircuitEvent } from '@teamfuse/core/sharing';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { turn } from '../../../core/test/support/signals.ts';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import {
  type CircuitStore,
  type Following,
  MemoryCircuitStore,
  type StoredCircuit,
  shared,
} from '../../src/fleet/index.ts';

const COOLDOWN_MS = 1_000;
const CHAT = 'chat';
const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 12) }, (_, seed) => seed);

/** Trips with each message `stuck`; all else is progress. */
const stuckDetector = (): Detector => ({
  kind: 'custom:stuck',
  observe({ signal, index }) {
    if (signal.kind !== 'message' || signal.text !== 'stuck') return undefined;
    const evidence = { agents: [signal.agent], indices: [index], count: 1, limit: 1 };
    return { level: 'trip', kind: 'custom:stuck', reason: 'writer is stuck', evidence };
  },
  reset() {},
  snapshot: () => null,
  restore() {},
});

/** A way to a store that can break, and take its time. */
class Line implements CircuitStore {
  readonly #store: CircuitStore;
  isDown = false;
  /** How many turns of the event loop an answer takes. */
  turns: (() => number) | undefined;

  constructor(store: CircuitStore) {
    this.#store = store;
  }

  apply(...call: [id: string, event: CircuitEvent, cooldownMs: number]) {
    if (this.isDown) return Promise.reject(new Error('connection refused'));
    const answer = this.#store.apply(...call) as StoredCircuit;
    return this.turns === undefined ? answer : later(this.turns(), answer);
  }

  follow(changed: Parameters<CircuitStore['follow']>[0]): Following {
    return this.#store.follow((changes) => {
      if (this.turns === undefined) changed(changes);
      else void later(this.turns(), changes).then(changed);
    });
  }
}

async function later<T>(turns: number, value: T): Promise<T> {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  return value;
}

/** Processes with a breaker each, on one store. */
function fleet() {
  const clock = new FakeClock(1_000_000_000);
  const store = new MemoryCircuitStore({ now: clock.now });
  const errors: unknown[] = [];
  const begin = (skewMs = 0) => {
    const circuits = new Line(store);
    const breaker = new Breaker({
      ...{ cooldownMs: COOLDOWN_MS, maxTurns: 1_000, judge: false, circuits: shared(circuits) },
      detectors: [stuckDetector],
      now: () => clock.now() + skewMs,
      timers: clock.timers,
    });
    breaker.on('error', ({ error }) => errors.push(error));
    const chat = breaker.conversation(CHAT);
    const admit = () => breaker.conversation(CHAT).admit({ kind: 'turn', agent: 'writer' });
    const say = (text: string) =>
      breaker.conversation(CHAT).observe({ kind: 'message', agent: 'writer', text });
    return { breaker, chat, line: circuits, admit, say };
  };
  return { clock, store, errors, begin };
}

describe('circuits of several processes', () => {
  it('[SHC1] opens in all of them with the first reason, and quotes nothing elsewhere', () => {
    const { begin } = fleet();
    const [one, other] = [begin(), begin()];
    one.say('stuck');
    expect(one.chat.trip?.evidence.signals).toHaveLength(1);
    expect(other.chat.trip).toMatchObject({ reason: 'writer is stuck', evidence: { signals: [] } });
    expect(other.admit()).toMatchObject({ isAdmitted: false });
    expect(other.breaker.conversation('another chat').trip).toBeUndefined();
  });

  it('[SHC1] ends what is under way in all of them', async () => {
    const { begin } = fleet();
    const [one, other] = [begin(), begin()];
    const run = other.chat.run(turn('writer'), ({ signal }) => {
      one.say('stuck');
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason)),
      );
    });
    await expect(run).rejects.toThrow('writer is stuck');
  });

  it('[SHC1] tell no secret to the store, and quote nothing without excerpts', () => {
    const told = (excerpts: boolean): string => {
      const { store } = fleet();
      const quoting = (): Detector => ({
        ...stuckDetector(),
        observe: ({ signal, index }) => {
          const evidence = { agents: ['writer'], indices: [index], count: 1, limit: 1 };
          const reason = `writer said '${'text' in signal ? signal.text : ''}'`;
          return { level: 'trip', kind: 'custom:stuck', reason, evidence };
        },
      });
      const breaker = new Breaker({ circuits: shared(store), detectors: [quoting], excerpts });
      breaker
        .conversation(CHAT)
        .observe({ kind: 'message', agent: 'writer', text: 'harbour DB_PASS=hunter2hunter2' });
      const { state } = store.apply(`c${CHAT}`, { type: 'probe-passed', probeId: -1 }, COOLDOWN_MS);
      return JSON.stringify(state);
    };
    expect(told(true)).toContain('harbour');
    expect(told(true)).not.toContain('hunter2');
    expect(told(false)).toContain('custom:stuck');
    expect(told(false)).not.toContain('harbour');
  });

  it('[SHC1] holds for conversations that a process begins only later', () => {
    const { begin } = fleet();
    begin().say('stuck');
    const late = begin();
    expect(late.admit()).toMatchObject({ isAdmitted: false });
    expect(late.breaker.stopped.map(({ id }) => id)).toEqual([CHAT]);
  });

  it('[SHC2] let one probe through in all of them', () => {
    const { begin, clock } = fleet();
    const members = [begin(), begin(), begin()];
    members[0]?.say('stuck');
    clock.advance(COOLDOWN_MS);
    const admitted = [...members, ...members].map(({ admit }) => (admit() as Admission).isAdmitted);
    expect(admitted).toEqual([true, false, false, false, false, false]);
  });

  it('[SHC2] let one of several steps through that ask at once in one process', async () => {
    const { begin, clock } = fleet();
    const [one, other] = [begin(), begin()];
    one.line.turns = () => 2;
    one.say('stuck');
    await later(5, undefined);
    clock.advance(COOLDOWN_MS);
    const asked = await Promise.all([one.admit(), one.admit(), one.admit()]);
    expect(asked.map(({ isAdmitted }) => isAdmitted)).toEqual([true, false, false]);
    expect(other.admit()).toMatchObject({ isAdmitted: false });
    one.say('The count is 42 in row 7.');
    await later(5, undefined);
    expect(other.chat.state.status).toBe('closed');
  });

  it('[SHC2] close in all of them when the probe makes progress', () => {
    const { begin, clock } = fleet();
    const [one, other] = [begin(), begin()];
    one.say('stuck');
    clock.advance(COOLDOWN_MS);
    other.admit();
    other.say('The count is 42 in row 7.');
    expect([one, other].map(({ chat }) => chat.state.status)).toEqual(['closed', 'closed']);
    expect(one.admit()).toMatchObject({ isAdmitted: true });
  });

  it('[SHC11] take the turn of a probe over whose process says no more that it goes on', async () => {
    const { begin, clock, store } = fleet();
    const [dead, other] = [begin(), begin()];
    dead.say('stuck');
    clock.advance(COOLDOWN_MS);
    expect(dead.admit()).toMatchObject({ isAdmitted: true });
    dead.line.isDown = true;
    clock.advance(14_999);
    expect(other.admit()).toMatchObject({ isAdmitted: false });
    clock.advance(1);
    expect(other.admit()).toMatchObject({ isAdmitted: true });
    // Its end is no news any more.
    dead.line.isDown = false;
    dead.say('The count is 42 in row 7.');
    const { state } = store.apply(`c${CHAT}`, { type: 'probe-passed', probeId: -1 }, COOLDOWN_MS);
    expect(state.status).not.toBe('closed');
    other.say('The count is 43 in row 8.');
    expect(other.chat.state.status).toBe('closed');
  });

  it('[SHC11] leave a probe alone that goes on, for fifteen minutes', () => {
    const { begin, clock } = fleet();
    const [slow, other] = [begin(), begin()];
    slow.say('stuck');
    clock.advance(COOLDOWN_MS);
    expect(slow.admit()).toMatchObject({ isAdmitted: true });
    for (let at = 0; at < 179; at++) {
      clock.advance(5_000);
      expect(other.admit()).toMatchObject({ isAdmitted: false });
    }
    for (let at = 0; at < 3; at++) clock.advance(5_000);
    expect(other.admit()).toMatchObject({ isAdmitted: true });
  });

  it('[SHC3] back off together, and go on with that after a restart', () => {
    const { begin, clock } = fleet();
    const [one, other] = [begin(), begin()];
    one.say('stuck');
    clock.advance(COOLDOWN_MS);
    const probe = other.admit() as Admission;
    if (probe.isAdmitted) probe.permit.release();
    const restarted = begin();
    clock.advance(2 * COOLDOWN_MS - 1);
    for (const { admit } of [one, other, restarted]) {
      expect(admit()).toMatchObject({ isAdmitted: false });
    }
    clock.advance(1);
    expect(restarted.admit()).toMatchObject({ isAdmitted: true });
  });

  it('[SHC3] go by the clock of the store, whatever those of the processes say', () => {
    const { begin, clock } = fleet();
    const [one, early, late] = [begin(), begin(3_600_000), begin(-3_600_000)];
    one.say('stuck');
    clock.advance(COOLDOWN_MS - 1);
    for (const { admit } of [early, late]) expect(admit()).toMatchObject({ isAdmitted: false });
    clock.advance(1);
    expect(late.admit()).toMatchObject({ isAdmitted: true });
    expect(early.admit()).toMatchObject({ isAdmitted: false });
  });

  it('[SHC4] are all stopped by hand, also those to come, until a reset in any process', () => {
    const { begin } = fleet();
    const [one, other] = [begin(), begin()];
    one.breaker.stop('enough');
    const late = begin();
    for (const { breaker } of [other, late]) {
      expect(breaker.conversation('new').trip).toMatchObject({ kind: 'manual', reason: 'enough' });
    }
    late.breaker.reset();
    for (const { breaker, admit } of [one, other, late]) {
      expect(breaker.stopped).toEqual([]);
      expect(breaker.conversation('newer').trip).toBeUndefined();
      expect(admit()).toMatchObject({ isAdmitted: true });
    }
  });

  it('[SHC4] of a tenant are stopped by hand in all processes, and no others', () => {
    const { begin } = fleet();
    const [one, other] = [begin(), begin()];
    one.breaker.for({ user: 'ann' }).stop('enough');
    expect(other.breaker.for({ user: 'ann' }).conversation('x').trip?.reason).toBe('enough');
    expect(other.breaker.for({ user: 'bob' }).conversation('x').trip).toBeUndefined();
    other.breaker.for({ user: 'ann' }).reset();
    expect(one.breaker.for({ user: 'ann' }).conversation('y').trip).toBeUndefined();
  });

  it('[SHC8] share what somebody has named, and nothing that a breaker has named by itself', () => {
    const { begin } = fleet();
    const [one, other] = [begin().breaker, begin().breaker];
    const ids = [one, other].map((breaker) => internalsOf(breaker).conversations.newId());
    expect(ids[0]).not.toBe(ids[1]);
    one.conversation(ids[0]).observe({ kind: 'message', agent: 'writer', text: 'stuck' });
    one.observe({ kind: 'message', agent: 'writer', text: 'stuck' });
    expect(one.stopped).toHaveLength(2);
    expect(other.stopped).toEqual([]);
    expect(other.conversation(ids[0]).trip).toBeUndefined();
  });

  it("[SHC8] share the one circuit of breakers with scope: 'breaker'", () => {
    const store = new MemoryCircuitStore();
    const options = {
      circuits: shared(store),
      detectors: [stuckDetector],
      scope: 'breaker',
    } as const;
    const [one, other] = [new Breaker(options), new Breaker(options)];
    one.observe({ kind: 'message', agent: 'writer', text: 'stuck' });
    expect(other.conversation('any').trip?.reason).toBe('writer is stuck');
  });

  it('[SHC9] leave what budgets and limits refuse to the process that counts it', () => {
    const { store } = fleet();
    const begin = (options: BreakerOptions) => {
      const breaker = new Breaker({ circuits: shared(store), judge: false, ...options });
      return { breaker, chat: breaker.conversation(CHAT) };
    };
    const poor = begin({ budget: { maxUsd: 1 } });
    const rich = begin({ budget: { maxUsd: 5 }, detectors: [stuckDetector] });
    poor.chat.trackCost(2);
    expect(poor.chat.trip?.kind).toBe('budget');
    expect(rich.chat.trip).toBeUndefined();
    rich.chat.observe({ kind: 'message', agent: 'writer', text: 'stuck' });
    rich.chat.reset();
    expect(poor.chat.trip?.kind).toBe('budget');
    poor.breaker.raise({ maxUsd: 5 });
    expect(poor.chat.trip).toBeUndefined();
  });

  it('[SHC9] still hold for a conversation whose own limit was lifted', () => {
    const { store } = fleet();
    const begin = (options: BreakerOptions) => {
      const breaker = new Breaker({ circuits: shared(store), judge: false, ...options });
      return { breaker, chat: breaker.conversation(CHAT) };
    };
    const [one, other] = [begin({ budget: { maxUsd: 1 } }), begin({ detectors: [stuckDetector] })];
    other.chat.observe({ kind: 'message', agent: 'writer', text: 'stuck' });
    one.chat.trackCost(2);
    expect(one.chat.trip?.kind).toBe('budget');
    one.breaker.raise({ maxUsd: 5 });
    expect(one.chat.trip?.reason).toBe('writer is stuck');
  });

  it('[SHC10] wait for a store that never answers no longer than ten seconds', async () => {
    const clock = new FakeClock(1_000_000_000);
    const silent: CircuitStore = {
      apply: () => new Promise(() => {}),
      follow: () => ({ known: new Promise(() => {}), end: () => {} }),
    };
    const errors: unknown[] = [];
    const { now, timers } = clock;
    const breaker = new Breaker({
      circuits: shared(silent),
      now,
      timers,
      detectors: [stuckDetector],
    });
    breaker.on('error', ({ error }) => errors.push(error));
    const admission = breaker.conversation(CHAT).admit({ kind: 'turn', agent: 'writer' });
    clock.advance(10_000);
    expect(await admission).toMatchObject({ isAdmitted: true });
    expect(errors).toMatchObject([
      { message: 'the store of the circuits did not answer within 10000 ms' },
    ]);
  });

  it('[SHC5] are their own while the store is away, and told once it is back', async () => {
    const { begin, clock, errors } = fleet();
    const [one, other] = [begin(), begin()];
    one.line.isDown = true;
    one.say('stuck');
    await later(1, undefined);
    expect(errors).toMatchObject([{ message: 'connection refused' }]);
    expect(one.admit()).toMatchObject({ isAdmitted: false });
    expect(other.admit()).toMatchObject({ isAdmitted: true });
    one.line.isDown = false;
    clock.advance(1_000);
    expect(other.chat.trip?.reason).toBe('writer is stuck');
  });

  it('[SHC5] probe by themselves while the store is away, and tell what that showed', async () => {
    const { begin, clock } = fleet();
    const [one, other] = [begin(), begin()];
    one.say('stuck');
    one.line.isDown = true;
    clock.advance(COOLDOWN_MS);
    expect(await one.admit()).toMatchObject({ isAdmitted: true });
    one.line.isDown = false;
    one.say('The count is 42 in row 7.');
    expect(other.chat.state.status).toBe('closed');
  });

  it('[SHC5] go by what others know after a snapshot was restored', () => {
    const { begin } = fleet();
    const [one, other] = [begin(), begin()];
    const before = one.breaker.snapshot();
    other.say('stuck');
    one.breaker.restore(before);
    expect(one.breaker.conversation(CHAT).trip?.reason).toBe('writer is stuck');
  });

  it('[SHC6] are refused where the store is none or comes late, and reported where it tells nonsense', async () => {
    const wrong = { apply: () => {} } as unknown as CircuitStore;
    expect(() => shared(wrong)).toThrow("option 'circuits.follow'");
    const circuits = wrong as never;
    expect(() => new Breaker({ circuits })).toThrow('expected shared(store)');
    const late = async (): Promise<never> => Promise.reject(new Error('lost'));
    expect(() => new Breaker({ circuits: late as never })).toThrow('expected shared(store)');
    const state = { status: 'open', trip: {} };
    const follow: CircuitStore['follow'] = (changed) => {
      changed([{ id: 'cchat', state, at: 0, version: 1 } as never]);
      return { known: undefined, end: () => {} };
    };
    const errors: unknown[] = [];
    const apply: CircuitStore['apply'] = () => ({ state, at: 0, version: 2 }) as never;
    const breaker = new Breaker({
      circuits: shared({ apply, follow }),
      detectors: [stuckDetector],
    });
    breaker.on('error', ({ error }) => errors.push(error));
    expect(breaker.conversation(CHAT).trip).toBeUndefined();
    breaker.conversation(CHAT).stop('enough');
    expect(breaker.conversation(CHAT).trip?.reason).toBe('enough');
    await later(1, undefined);
    expect(errors).toMatchObject([{ code: 'INVALID_SNAPSHOT' }]);
  });

  it.each(SEEDS)('[SHC7] agree in the end, whatever was lost or late (seed %i)', async (seed) => {
    const random = new SeededRandom(seed);
    const { begin, clock, store } = fleet();
    const members = Array.from({ length: 4 }, () => begin());
    for (const { line } of members) line.turns = () => random.below(6);
    const act = async ({ admit, say, breaker, line }: (typeof members)[number]) => {
      const what = random.below(20);
      if (what === 0) breaker.stop('by hand');
      else if (what === 1) breaker.reset();
      else if (what === 2) line.isDown = random.oneIn(3);
      else if (what < 6) say('stuck');
      else {
        const admission = await admit();
        if (!admission.isAdmitted || !admission.permit.isProbe) return;
        await later(random.below(4), undefined);
        if (random.oneIn(2)) say(`Row ${random.below(1_000_000)} says ${random.below(1_000_000)}.`);
        admission.permit.release();
      }
    };
    for (let step = 0; step < 300; step++) {
      const acting = members.filter(() => random.oneIn(2)).map(act);
      await Promise.all(acting);
      clock.advance(random.below(COOLDOWN_MS));
    }
    for (const { line } of members) line.isDown = false;
    for (let turn = 0; turn < 5; turn++) {
      clock.advance(1_000);
      await later(20, undefined);
    }
    const [chat, all] = [`c${CHAT}`, 'h'].map((key) => {
      const nothing = { type: 'probe-passed', probeId: -1 } as const;
      return store.apply(key, nothing, COOLDOWN_MS).state.status;
    });
    const truth = all === 'stopped' ? all : chat;
    const shown = truth === 'half-open' ? 'open' : truth;
    for (const one of members) expect(one.chat.state.status).toBe(shown);
  });
});
