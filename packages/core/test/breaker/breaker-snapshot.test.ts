import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerSnapshot, InvalidSnapshotError } from '../../src/index.ts';
import { internalsOf } from '../../src/kit.ts';
import type { ConversationSnapshot } from '../../src/sharing.ts';
import { message, modelRequest, ONE_OF_EACH, turn, usage, withMain } from '../support/signals.ts';

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

  it('[SNP7] hold how many teams there were, so that a new one is none of them', () => {
    const options = { budget: { maxUsd: 9, perConversation: { maxUsd: 1 } } };
    const [first, second] = [new Breaker(options), new Breaker(options)];
    const newTeam = (breaker: Breaker) =>
      breaker.conversation(internalsOf(breaker).conversations.newId());
    const old = newTeam(first);
    old.observe(usage({ costUsd: 0.9 }));
    internalsOf(first).conversations.forget(old.id);
    const snapshot = first.snapshot();
    second.restore(snapshot);
    const next = newTeam(second);
    expect([old.id, next.id]).toEqual(['team 2', 'team 3']);
    expect(next.admit(modelRequest({ estimatedCostUsd: 0.5 }))).toMatchObject({ isAdmitted: true });
    const { teams: _, ...older } = snapshot;
    expect(() => second.restore(older)).not.toThrow();
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

  it('[SNP8] may be older than a detector, which begins afresh', () => {
    const repeat = { ...message('a', 'The same old story.'), depth: 0 };
    const first = new Breaker({ repetition: false });
    const second = new Breaker({ maxMessages: 3 });
    for (let i = 0; i < 2; i++) for (const one of [first, second]) one.observe(repeat);
    second.restore(first.snapshot());
    expect(second.observe(repeat)?.kind).toBe('limit');
  });

  it('[SNP5] change nothing when they are refused', () => {
    const breaker = new Breaker(OPTIONS);
    breaker.observe(message('a', 'one'));
    const before = breaker.snapshot();
    expect(() =>
      breaker.restore(withMain(afterSome(), (main) => ({ ...main, recent: 'nothing' }))),
    ).toThrow(InvalidSnapshotError);
    expect(breaker.snapshot()).toEqual(before);
  });

  it('[SNP5] are not told of when they are refused', () => {
    const first = new Breaker(OPTIONS);
    const chat = first.conversation('chat');
    for (let i = 0; i < 4; i++) chat.observe(message('a', `row ${i}`));
    const second = new Breaker(OPTIONS);
    const seen: string[] = [];
    second.on('state', ({ to }) => seen.push(to.status));
    const whole = first.snapshot();
    const conversations = { ...whole.conversations, '': 'nothing' };
    expect(() => second.restore({ ...whole, conversations })).toThrow(InvalidSnapshotError);
    expect(seen).toEqual([]);
    second.conversation().stop('enough');
    expect(seen).toEqual(['stopped']);
  });

  const ofBreaker: readonly (readonly [string, (snapshot: BreakerSnapshot) => unknown])[] = [
    ['', () => 'nothing'],
    ['version', (snapshot) => ({ ...snapshot, version: 1 })],
    ['spend', (snapshot) => ({ ...snapshot, spend: 5 })],
    ['conversations', (snapshot) => ({ ...snapshot, conversations: [] })],
    ['conversation', (snapshot) => ({ ...snapshot, conversations: {} })],
    ['spend.id', (snapshot) => ({ ...snapshot, spend: {} })],
    ['teams', (snapshot) => ({ ...snapshot, teams: -1 })],
    [
      'budget.reservations',
      (snapshot) => {
        const spend = snapshot.spend as Record<string, object>;
        return { ...snapshot, spend: { ...spend, memory: { ...spend.memory, reservations: 3 } } };
      },
    ],
  ];
  const ofConversation: readonly (readonly [string, (main: ConversationSnapshot) => unknown])[] = [
    ['nextIndex', (main) => ({ ...main, nextIndex: -1 })],
    ['circuit.status', (main) => ({ ...main, circuit: { status: 'ajar' } })],
    ['circuit.status', (main) => ({ ...main, circuit: { status: 'toString' } })],
    [
      'circuit.trip.evidence',
      (main) => {
        const trip = { kind: 'manual', basis: 'declared', reason: 'enough', agents: [] };
        return { ...main, circuit: { status: 'stopped', trip } };
      },
    ],
    ['warned[0]', (main) => ({ ...main, warned: [{}] })],
    ['circuit.probeFrom', (main) => ({ ...main, circuit: { status: 'open', openedAt: 0 } })],
    ['detectors', (main) => ({ ...main, detectors: { ...main.detectors, 'custom:x': {} } })],
    ['limit', (main) => ({ ...main, detectors: { ...main.detectors, limit: 'many' } })],
    ['recent', (main) => ({ ...main, recent: [{ index: 'x' }] })],
    ['spend.runs', (main) => ({ ...main, spend: { history: {} } })],
  ];
  const broken = [
    ...ofBreaker,
    ...ofConversation.map(
      ([field, breakIt]) =>
        [field, (snapshot: BreakerSnapshot) => withMain(snapshot, breakIt)] as const,
    ),
  ];
  it.each(broken)('[SNP5] are refused when %s is wrong, and it is named', (field, breakIt) => {
    expect(() => new Breaker(OPTIONS).restore(breakIt(afterSome()))).toThrow(
      expect.objectContaining({ name: InvalidSnapshotError.name, field }),
    );
  });
});
