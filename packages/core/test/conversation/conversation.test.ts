import { describe, expect, it } from 'vitest';
import { Breaker, type Trip } from '../../src/index.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';
import { staleText } from '../support/stale.ts';

const OUT_OF_ORDER = new Error('listener out of order');

function failWith(error: Error): never {
  throw error;
}

describe('conversations of one breaker', () => {
  it('[CNV1] have their own limits, detectors and circuits', () => {
    const breaker = new Breaker({ maxMessages: 3 });
    const [a, b] = [breaker.conversation('a'), breaker.conversation('b')];
    for (const text of ['one', 'two', 'three']) a.observe(message('writer', text));
    b.observe(message('writer', 'one'));
    expect(a.trip?.kind).toBe('limit');
    expect([b.trip, breaker.conversation().trip]).toEqual([undefined, undefined]);
    expect(b.admit(turn('writer'))).toMatchObject({ isAdmitted: true });
    expect(a.admit(turn('writer'))).toMatchObject({ isAdmitted: false });
  });

  it('[CNV2] share the budget, even where their calls have equal ids', () => {
    const breaker = new Breaker({ budget: { maxTokens: 100 } });
    const [a, b] = [breaker.conversation('a'), breaker.conversation('b')];
    const call = modelRequest({ requestId: 'r1', inputTokens: 60 });
    expect(a.admit(call)).toMatchObject({ isAdmitted: true });
    expect(b.admit(call)).toMatchObject({ isAdmitted: false, trip: { kind: 'budget' } });
    a.observe(usage({ requestId: 'r1', inputTokens: 30, outputTokens: 5 }));
    expect(a.cost.tokens).toBe(35);
    expect(b.cost.tokens).toBe(0);
    expect(breaker.cost.tokens).toBe(35);
  });

  it('[CNV3] are named by events and trips', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const seen: string[] = [];
    breaker.on('signal', ({ conversation }) => seen.push(`signal ${conversation}`));
    breaker.on('state', ({ conversation }) => seen.push(`state ${conversation}`));
    breaker.on('trip', ({ conversation }) => seen.push(`trip ${conversation}`));
    breaker.conversation('chat 7').observe(message('writer', 'one'));
    expect(seen).toEqual(['signal chat 7', 'state chat 7', 'trip chat 7']);
  });

  it('[CNV4] are one with the scope of the breaker', () => {
    const breaker = new Breaker({ maxMessages: 2, scope: 'breaker' });
    breaker.conversation('a').observe(message('writer', 'one'));
    breaker.conversation('b').observe(message('writer', 'two'));
    expect(breaker.conversation().trip?.kind).toBe('limit');
  });

  it('[CNV4] are the same one whenever their id is, and the main one for an empty id', () => {
    const breaker = new Breaker();
    expect(breaker.conversation('a')).toBe(breaker.conversation('a'));
    expect(breaker.conversation('a')).not.toBe(breaker.conversation('b'));
    breaker.conversation('').stop('enough');
    expect(breaker.conversation().trip?.reason).toBe('enough');
    expect(() => new Breaker({ scope: 'team' as never })).toThrow(
      "option 'scope': expected 'conversation' or 'breaker', received \"team\"",
    );
  });

  it('[CNV5] are all in a snapshot', () => {
    const first = new Breaker({ maxMessages: 2, budget: { maxUsd: 1 } });
    first.conversation('a').stop('enough');
    first.conversation('b').observe(message('writer', 'one'));
    first.observe(message('writer', 'one'));
    const second = new Breaker({ maxMessages: 2, budget: { maxUsd: 1 } });
    second.conversation('gone').stop('not in the snapshot');
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    expect(second.snapshot()).toEqual(first.snapshot());
    expect(second.conversation('a').trip?.reason).toBe('enough');
    expect(second.conversation('b').observe(message('writer', 'two'))?.kind).toBe('limit');
    expect(second.conversation('gone').trip).toBeUndefined();
  });

  it('[CNV6] are forgotten beyond a thousand, the one that was used least recently first', () => {
    const breaker = new Breaker();
    const [first, second] = [breaker.conversation('first'), breaker.conversation('second')];
    for (let i = 0; i < 998; i++) breaker.conversation(`${i}`);
    first.observe(message('writer', 'one'));
    breaker.conversation('one more');
    expect(breaker.conversation('first')).toBe(first);
    expect(breaker.conversation('second')).not.toBe(second);
  });

  it('[CNV6] are not forgotten while another one is closed, and known again when they are used', () => {
    const breaker = new Breaker();
    breaker.conversation('stopped').stop();
    const busy = breaker.conversation('busy');
    for (let i = 0; i < 1200; i++) breaker.conversation(`${i}`);
    expect(breaker.conversation('stopped').state.status).toBe('stopped');
    busy.observe(message('writer', 'one'));
    breaker.stop('emergency');
    expect(busy.state.status).toBe('stopped');
  });

  it('[CNV6] are known again when they are used, where all others were stopped before', () => {
    const breaker = new Breaker();
    const stopped = Array.from({ length: 1000 }, (_, i) => breaker.conversation(`${i}`));
    for (const one of stopped) one.stop();
    const last = breaker.conversation('last');
    last.observe(message('writer', 'one'));
    stopped[0]?.reset();
    last.observe(message('writer', 'two'));
    expect(breaker.conversation('last')).toBe(last);
  });

  it('[CNV11] are not forgotten while a step is under way, however many there are', async () => {
    const breaker = new Breaker();
    const ends: (() => void)[] = [];
    const step = { kind: 'tool-call', agent: 'writer', tool: 'look', args: {} } as const;
    const busy = Array.from({ length: 1_010 }, (_, i) => breaker.conversation(`busy ${i}`));
    const runs = busy.map((one) => one.run(step, () => new Promise<void>((end) => ends.push(end))));
    for (let i = 0; i < 10; i++) breaker.conversation(`${i}`);
    expect(busy.filter((one) => breaker.conversation(one.id) !== one)).toEqual([]);
    expect(Object.keys(breaker.snapshot().conversations)).toHaveLength(1_001);
    for (const end of ends) end();
    await Promise.all(runs);
    for (let i = 0; i < 10; i++) breaker.conversation(`later ${i}`);
    expect(breaker.conversation('busy 0')).not.toBe(busy[0]);
  });

  it('[CNV11] leave their open circuits in a snapshot that has no room for them', async () => {
    const breaker = new Breaker();
    const step = { kind: 'tool-call', agent: 'writer', tool: 'look', args: {} } as const;
    const busy = Array.from({ length: 1_010 }, (_, i) => breaker.conversation(`busy ${i}`));
    for (const one of busy) await one.admit(step, { willRelease: true });
    busy[3]?.stop('enough');
    const copy = new Breaker();
    copy.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(copy.conversation('busy 3').trip?.reason).toBe('enough');
    expect(copy.conversation('busy 4').trip).toBeUndefined();
  });

  it('[CNV11] are not forgotten while a question to their judge is open', async () => {
    const breaker = new Breaker({ judge: { confirm: () => new Promise<number>(() => {}) } });
    const [asking, quiet] = [breaker.conversation('asking'), breaker.conversation('quiet')];
    for (let i = 0; i < 12; i++) asking.observe(message('a', staleText(i), i));
    expect(asking.questions).toBe(1);
    quiet.observe(message('a', staleText(0)));
    for (let i = 0; i < 1_010; i++) breaker.conversation(`${i}`);
    expect(breaker.conversation('asking')).toBe(asking);
    expect(breaker.conversation('quiet')).not.toBe(quiet);
  });

  it('[CNV7] call no listener when the circuit lets a probe through or closes', () => {
    const breaker = new Breaker({ contextWindow: { maxContextTokens: 1 }, cooldownMs: 0 });
    const conversation = breaker.conversation('a');
    const kinds: string[] = [];
    conversation.onOpen(({ kind }) => kinds.push(kind));
    conversation.admit(modelRequest({ inputTokens: 2 }));
    conversation.admit(turn('writer'));
    expect(conversation.state.status).toBe('half-open');
    conversation.reset();
    expect(kinds).toEqual(['context-window']);
  });

  it('[CNV2] book money by hand on their own, for no agent unless one is named', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    const trip = await breaker.conversation('a').trackCost(2);
    expect(trip).toMatchObject({ conversation: 'a', agents: [] });
    expect(breaker.conversation('b').cost.nanoUsd).toBe(0);
  });

  it('[CNV7] tell of an opening circuit before any event', () => {
    const breaker = new Breaker();
    const seen: string[] = [];
    const heard = (trip: Trip): void => void seen.push(`opened ${trip.reason}`);
    const off = breaker.conversation('a').onOpen(heard);
    breaker.on('state', () => seen.push('state'));
    breaker.conversation('b').stop('other');
    breaker.conversation('a').stop('enough');
    off();
    breaker.conversation('a').reset();
    breaker.conversation('a').stop('again');
    expect(seen).toEqual(['state', 'opened enough', 'state', 'state', 'state']);
  });

  it.each([
    ['throws', () => failWith(OUT_OF_ORDER)],
    ['rejects', async () => failWith(OUT_OF_ORDER)],
  ])('[CNV7] reports a listener that %s, and opens all the same', async (_, listener) => {
    const breaker = new Breaker();
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    breaker.conversation('a').onOpen(listener);
    breaker.conversation('a').stop('enough');
    expect(breaker.conversation('a').trip?.reason).toBe('enough');
    await new Promise(setImmediate);
    expect(errors).toEqual([OUT_OF_ORDER]);
  });

  it('[CNV9] are listed while their circuits are not closed', () => {
    const breaker = new Breaker();
    breaker.conversation('b').stop('enough');
    breaker.conversation('a');
    breaker.observe(message('a', 'one'));
    expect(breaker.stopped.map(({ id, trip }) => [id, trip?.reason])).toEqual([['b', 'enough']]);
    breaker.stop();
    expect(breaker.stopped.map(({ id }) => id)).toEqual(['', 'b', 'a']);
    breaker.reset();
    expect(breaker.stopped).toEqual([]);
  });

  it('[CNV8] are all stopped and reset with the breaker, and each by itself', () => {
    const breaker = new Breaker();
    const [a, b] = [breaker.conversation('a'), breaker.conversation('b')];
    const main = breaker.conversation();
    a.stop('this one');
    expect([a, b, main].map(({ state }) => state.status)).toEqual(['stopped', 'closed', 'closed']);
    breaker.stop('all of them');
    expect([a, b, main].map(({ trip }) => trip?.reason)).toEqual([
      'this one',
      'all of them',
      'all of them',
    ]);
    breaker.reset();
    expect([a, b, main].map(({ state }) => state.status)).toEqual(['closed', 'closed', 'closed']);
  });
});
