import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions } from '../../src/index.ts';
import { message, turn, usage } from '../support/signals.ts';
import { leavesOthers, stopsAll } from './crowd.ts';

const RUNS = 1500;
/** More conversations than a breaker keeps. */
const BEYOND = 1010;

/** A breaker whose circuit is open for a second. */
function opened(now: () => number): Breaker {
  const breaker = new Breaker({ contextWindow: { maxContextTokens: 1 }, cooldownMs: 1000, now });
  breaker.admit({ kind: 'model-request', agent: 'a', model: 'm', inputTokens: 5 });
  return breaker;
}

describe('a stop of the whole breaker', () => {
  it('[GATE1] lets no call of 100 runs begin, and ends the wait of each', () => stopsAll(100));

  it('[GATE1] of another breaker leaves all of them alone', () => leavesOthers(100));

  it('[GATE1] is found by conversations that begin later, until the breaker is reset', () => {
    const breaker = new Breaker();
    breaker.stop('emergency');
    const late = breaker.conversation('late');
    expect(late.state).toMatchObject({
      status: 'stopped',
      trip: { kind: 'manual', reason: 'emergency', conversation: 'late' },
    });
    expect(late.admit(turn('writer'))).toMatchObject({ isAdmitted: false });
    breaker.reset();
    expect([late, breaker.conversation('later')].map(({ state }) => state.status)).toEqual([
      'closed',
      'closed',
    ]);
    expect(late.admit(turn('writer'))).toMatchObject({ isAdmitted: true });
  });

  it('[GATE1] is told once by each conversation that there was', () => {
    const breaker = new Breaker();
    for (let i = 0; i < RUNS; i++) breaker.conversation(`${i}`);
    const told: string[] = [];
    const kept = breaker.conversation('busy');
    breaker.on('trip', ({ conversation }) => told.push(conversation));
    breaker.stop('emergency');
    breaker.stop('again');
    breaker.conversation('late').admit(turn('writer'));
    kept.observe(message('writer', 'one'));
    expect(told.filter((id) => id === '' || id === 'busy' || id === 'late')).toEqual(['busy', '']);
    expect(new Set(told).size).toBe(told.length);
  });

  it('[GATE1] holds for a conversation that is reset by itself', () => {
    const breaker = new Breaker();
    const one = breaker.conversation('one');
    breaker.stop('emergency');
    one.reset();
    expect(one.admit(turn('writer'))).toMatchObject({ trip: { reason: 'emergency' } });
    const other = breaker.conversation('other');
    breaker.reset();
    other.stop('by itself');
    other.reset();
    expect(other.admit(turn('writer'))).toMatchObject({ isAdmitted: true });
  });

  it('[GATE1] outlives the process in a snapshot, and ends with a restored one that has none', () => {
    const first = new Breaker();
    const before = first.snapshot();
    first.stop('password=correct-horse-battery');
    const stored = JSON.parse(JSON.stringify(first.snapshot()));
    expect(JSON.stringify(stored)).not.toContain('horse');
    const second = new Breaker();
    second.restore(stored);
    expect(second.conversation('late').state.status).toBe('stopped');
    second.restore(before);
    expect(second.conversation('later').state.status).toBe('closed');
  });
});

describe('the circuit of a conversation that is forgotten', () => {
  const options: BreakerOptions = { maxMessages: 1, now: () => 0 };
  const tripped = (breaker: Breaker, count: number): readonly string[] =>
    Array.from({ length: count }, (_, i) => {
      breaker.conversation(`c${i}`).observe(message('writer', 'one'));
      return `c${i}`;
    });

  it('[GATE2] stays open, with its reason', () => {
    const breaker = new Breaker(options);
    const ids = tripped(breaker, BEYOND);
    const again = ids.map((id) => breaker.conversation(id));
    expect(again.filter(({ state }) => state.status === 'closed')).toEqual([]);
    expect(again[0]?.trip).toMatchObject({ kind: 'limit', conversation: 'c0' });
    expect(again[0]?.admit(turn('writer'))).toMatchObject({ isAdmitted: false });
  });

  it('[GATE2] is not kept if it is closed', () => {
    const breaker = new Breaker({ ...options, maxMessages: 2 });
    const ids = tripped(breaker, BEYOND);
    expect(breaker.conversation(ids[0]).observe(message('writer', 'two'))).toBeUndefined();
  });

  it('[GATE2] is in a snapshot', () => {
    const first = new Breaker(options);
    tripped(first, BEYOND);
    const second = new Breaker(options);
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.conversation('c0').state.status).toBe('stopped');
    expect(second.conversation('other').state.status).toBe('closed');
  });

  it('[GATE2] closes with the reset of the breaker', () => {
    const breaker = new Breaker(options);
    tripped(breaker, BEYOND);
    breaker.reset();
    expect(breaker.conversation('c0').state.status).toBe('closed');
  });

  it('[GATE2] closes with a raised limit if the budget opened it', () => {
    const breaker = new Breaker({ budget: { maxTokens: 1 }, maxMessages: 1 });
    breaker.conversation('spent').observe(usage());
    tripped(breaker, BEYOND);
    breaker.raise({ maxTokens: 1_000_000 });
    expect(breaker.conversation('spent').state.status).toBe('closed');
    expect(breaker.conversation('c0').state.status).toBe('stopped');
  });

  it('[GATE2] lets a probe through once it has cooled down', () => {
    const clock = { now: 0 };
    const breaker = new Breaker({
      contextWindow: { maxContextTokens: 1 },
      cooldownMs: 1000,
      now: () => clock.now,
    });
    const call = { kind: 'model-request', agent: 'a', model: 'm', inputTokens: 5 } as const;
    for (let i = 0; i < BEYOND; i++) breaker.conversation(`c${i}`).admit(call);
    const admitted = (): boolean => {
      const answer = breaker.conversation('c0').admit({ kind: 'turn', agent: 'a' });
      return 'isAdmitted' in answer && answer.isAdmitted;
    };
    clock.now = 999;
    expect(admitted()).toBe(false);
    clock.now = 1000;
    expect(admitted()).toBe(true);
  });

  it('[GATE2] is kept for ten thousand of them', () => {
    const one = new Breaker(options);
    one.stop();
    const { state } = one.conversation();
    const open = Array.from({ length: 10_000 }, (_, i) => [`o${i}`, { state, probes: 0 }]);
    const stored = JSON.parse(JSON.stringify({ ...new Breaker(options).snapshot(), open }));
    const breaker = new Breaker(options);
    breaker.restore(stored);
    tripped(breaker, 1001);
    const { status } = breaker.conversation('o1').state;
    expect([status, breaker.conversation('o0').state.status]).toEqual(['stopped', 'closed']);
    expect(() => breaker.restore({ ...stored, open: [...stored.open, stored.open[0]] })).toThrow(
      'snapshot.open: expected an array of at most 10000 items',
    );
  });

  it('[SNP6] is checked as all of a snapshot is, and changes nothing if it is wrong', () => {
    const breaker = new Breaker(options);
    breaker.stop('enough');
    const stored = JSON.parse(JSON.stringify(breaker.snapshot()));
    for (const [part, path] of [
      [{ open: [['c', { state: { status: 'stopped' }, probes: 0 }]] }, 'open[0][1].state.trip'],
      [{ open: {} }, 'open'],
      [{ halt: { reason: 7, at: 0 } }, 'halt.reason'],
      [{ halt: { reason: '', at: 1e308 } }, 'halt.at'],
    ] as const) {
      expect(() => breaker.restore({ ...stored, ...part })).toThrow(`snapshot.${path}: expected`);
    }
    expect(breaker.conversation('late').trip?.reason).toBe('enough');
  });

  it('[SNP6] waits no longer for its probe than a cool-down can take', () => {
    const breaker = opened(() => 0);
    const stored = JSON.parse(JSON.stringify(breaker.snapshot()));
    for (const probeFrom of [1e308, 8e15, -1]) {
      stored.conversations[''].circuit.probeFrom = probeFrom;
      expect(() => breaker.restore(stored)).toThrow('snapshot.circuit.probeFrom: expected');
    }
  });
});

describe('the id of a conversation', () => {
  it('[GATE3] has at most 1,000 characters', () => {
    const breaker = new Breaker();
    expect(breaker.conversation('x'.repeat(1000)).id).toHaveLength(1000);
    expect(() => breaker.conversation('x'.repeat(1001))).toThrow(
      "option 'id': expected text of at most 1000 characters, received",
    );
  });
});

describe('the time of a request', () => {
  it("[GATE4] ends no cool-down ahead of the breaker's clock", () => {
    const clock = { now: 0 };
    const breaker = opened(() => clock.now);
    expect(breaker.admit(turn('a', 1e12))).toMatchObject({ isAdmitted: false });
    clock.now = 1000;
    expect(breaker.admit(turn('a', 1e12))).toMatchObject({ isAdmitted: true });
  });

  it('[GATE4] counts if it is past, as in a replay', () => {
    const breaker = new Breaker({ contextWindow: { maxContextTokens: 1 }, cooldownMs: 1000 });
    const call = { kind: 'model-request', agent: 'a', model: 'm', inputTokens: 5, at: 0 } as const;
    breaker.admit(call);
    expect(breaker.admit(turn('a', 999))).toMatchObject({ isAdmitted: false });
    expect(breaker.admit(turn('a', 1000))).toMatchObject({ isAdmitted: true });
  });
});
