import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerSnapshot, InvalidSnapshotError } from '../../src/index.ts';
import { message, modelRequest, ONE_OF_EACH, turn, usage } from '../support/signals.ts';

const OPTIONS = { maxMessages: 4, budget: { maxUsd: 1 }, cooldownMs: 1000 };

function afterSome(): BreakerSnapshot {
  const breaker = new Breaker(OPTIONS);
  for (const signal of ONE_OF_EACH) if (signal.kind !== 'usage') breaker.observe(signal);
  return breaker.snapshot();
}

describe('snapshots', () => {
  it('[SNP1] are plain JSON', () => {
    const snapshot = afterSome();
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
  });

  it('[SNP2] go on as if nothing had been in between', () => {
    const signals = ['one', 'two', 'three', 'four'].map((text) => message('a', text));
    const whole = new Breaker(OPTIONS);
    const trips = signals.map((signal) => whole.observe(signal));
    for (let cut = 0; cut <= signals.length; cut++) {
      const first = new Breaker(OPTIONS);
      const before = signals.slice(0, cut).map((signal) => first.observe(signal));
      const second = new Breaker(OPTIONS);
      second.restore(JSON.parse(JSON.stringify(first.snapshot())));
      const after = signals.slice(cut).map((signal) => second.observe(signal));
      expect([...before, ...after]).toEqual(trips);
    }
  });

  it('[SNP3] keep what is spent and what is held', async () => {
    const first = new Breaker(OPTIONS);
    first.observe(usage({ costUsd: 0.5 }));
    await first.admit(modelRequest({ requestId: 'r1', estimatedCostUsd: 0.4 }));
    const second = new Breaker(OPTIONS);
    second.restore(first.snapshot());
    const answer = await second.admit(modelRequest({ requestId: 'r2', estimatedCostUsd: 0.2 }));
    expect(answer.isAdmitted).toBe(false);
  });

  it('[SNP4] keep a circuit open, and its cool-down', async () => {
    const now = (): number => 0;
    const first = new Breaker({ ...OPTIONS, now });
    first.stop('enough');
    const second = new Breaker({ ...OPTIONS, now });
    second.restore(first.snapshot());
    expect(await second.admit(turn('a'))).toMatchObject({ trip: { reason: 'enough' } });
  });

  it('[SNP2] are not changed by the breakers they are restored to', () => {
    const snapshot = afterSome();
    const copy = structuredClone(snapshot);
    const breaker = new Breaker(OPTIONS);
    breaker.restore(snapshot);
    for (const signal of ONE_OF_EACH) breaker.observe(signal);
    expect(snapshot).toEqual(copy);
  });

  it('[SNP2] can be restored whatever figures and depths they were made of', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const first = new Breaker({ budget: { maxTokens: most } });
    first.admit(modelRequest({ inputTokens: most, maxOutputTokens: most, depth: most }));
    first.observe(usage({ inputTokens: most, outputTokens: most, costUsd: 1e300 }));
    first.observe({ ...message('a', 'from deep down'), depth: 4_000_000_000 });
    const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
    expect(() => new Breaker({ budget: { maxTokens: most } }).restore(snapshot)).not.toThrow();
    expect(first.cost).toMatchObject({ nanoUsd: most, tokens: most });
  });

  it('[SNP4] tell of the state they bring', () => {
    const first = new Breaker(OPTIONS);
    first.stop('enough');
    const second = new Breaker(OPTIONS);
    const seen: string[] = [];
    second.on('state', ({ to }) => seen.push(to.status));
    second.restore(first.snapshot());
    expect(seen).toEqual(['stopped']);
  });

  it('[SNP5] change nothing when they are refused', () => {
    const breaker = new Breaker(OPTIONS);
    breaker.observe(message('a', 'one'));
    const before = breaker.snapshot();
    expect(() => breaker.restore({ ...afterSome(), recent: 'nothing' })).toThrow(
      InvalidSnapshotError,
    );
    expect(breaker.snapshot()).toEqual(before);
  });

  const broken: readonly (readonly [string, (snapshot: BreakerSnapshot) => unknown])[] = [
    ['', () => 'nothing'],
    ['version', (snapshot) => ({ ...snapshot, version: 2 })],
    ['nextIndex', (snapshot) => ({ ...snapshot, nextIndex: -1 })],
    ['circuit.status', (snapshot) => ({ ...snapshot, circuit: { status: 'ajar' } })],
    ['circuit.status', (snapshot) => ({ ...snapshot, circuit: { status: 'toString' } })],
    [
      'circuit.trip.evidence',
      (snapshot) => {
        const trip = { kind: 'manual', reason: 'enough', agents: [] };
        return { ...snapshot, circuit: { status: 'stopped', trip } };
      },
    ],
    ['warned', (snapshot) => ({ ...snapshot, warned: [{}] })],
    [
      'circuit.probeFrom',
      (snapshot) => ({ ...snapshot, circuit: { status: 'open', openedAt: 0 } }),
    ],
    [
      'detectors.limit',
      ({ detectors: { limit: _, ...rest }, ...snapshot }) => ({ ...snapshot, detectors: rest }),
    ],
    [
      'detectors',
      (snapshot) => ({ ...snapshot, detectors: { ...snapshot.detectors, 'custom:x': {} } }),
    ],
    ['limit', (snapshot) => ({ ...snapshot, detectors: { ...snapshot.detectors, limit: 'many' } })],
    ['recent', (snapshot) => ({ ...snapshot, recent: [{ index: 'x' }] })],
    ['spend.total', (snapshot) => ({ ...snapshot, purse: { history: {} } })],
    [
      'budget.held',
      (snapshot) => {
        const purse = snapshot.purse as Record<string, object>;
        return { ...snapshot, purse: { ...purse, books: { ...purse.books, held: 3 } } };
      },
    ],
  ];
  it.each(broken)('[SNP5] are refused when %s is wrong, and it is named', (field, breakIt) => {
    expect(() => new Breaker(OPTIONS).restore(breakIt(afterSome()))).toThrow(
      expect.objectContaining({ name: InvalidSnapshotError.name, field }),
    );
  });
});
