import { describe, expect, it } from 'vitest';
import { Breaker } from '../../src/index.ts';
import { internalsOf } from '../../src/kit.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';

const paid = (requestId: string, costUsd: number) =>
  usage({ requestId, inputTokens: 10, outputTokens: 0, costUsd });

describe('the breaker of a tenant', () => {
  it('[TEN1] has conversations that never meet those of other tenants', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const [ann, bob] = [breaker.for({ user: 'ann' }), breaker.for({ user: 'bob' })];
    ann.conversation('chat').observe(message('writer', 'one'));
    expect(ann.conversation('chat').trip?.kind).toBe('limit');
    expect(bob.conversation('chat').trip).toBeUndefined();
    expect(breaker.conversation('chat').trip).toBeUndefined();
  });

  it.each([
    [{ user: 'ann/x' }, { user: 'ann' }],
    [{ user: 'ann team:x' }, { user: 'ann', team: 'x' }],
    [{ user: 'a%20b' }, { user: 'a b' }],
    [{ team: 'ann' }, { user: 'ann' }],
  ])('[TEN1] tells %j from %j', (one, other) => {
    const breaker = new Breaker();
    const [a, b] = [breaker.for(one), breaker.for(other)];
    expect(a.conversation('x/chat')).not.toBe(b.conversation('chat'));
    expect(a.conversation('chat')).not.toBe(b.conversation('chat'));
    a.stop('enough');
    expect(b.stopped).toEqual([]);
  });

  it('[TEN1] keeps ids that look like those of another tenant to itself', () => {
    const breaker = new Breaker();
    breaker.for({ user: 'ann' }).conversation('user:bob/chat').stop();
    breaker.for({ user: 'ann' }).conversation('team:x/chat').stop();
    expect(breaker.for({ user: 'bob' }).stopped).toEqual([]);
    expect(breaker.for({ user: 'ann', team: 'x' }).stopped).toEqual([]);
  });

  it('[TEN2] names its tenant in ids, which it and the whole breaker look up', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const ann = breaker.for({ user: 'ann', team: 'research' });
    const ids: string[] = [];
    breaker.on('trip', ({ conversation }) => ids.push(conversation));
    ann.conversation('chat 1').observe(message('writer', 'one'));
    ann.observe(message('writer', 'one'));
    expect(ids).toEqual(['user:ann team:research/chat 1', 'user:ann team:research/']);
    expect(ann.conversation(ids[0])).toBe(ann.conversation('chat 1'));
    expect(breaker.conversation(ids[0])).toBe(ann.conversation('chat 1'));
    expect(breaker.conversation(ids[1])).toBe(ann.conversation());
  });

  it('[TEN2] takes ids of a thousand characters beside the names', () => {
    const breaker = new Breaker();
    const ann = breaker.for({ user: ' '.repeat(128), team: '/'.repeat(128), key: '%'.repeat(500) });
    const { id } = ann.conversation('x'.repeat(1000));
    expect(breaker.conversation(id)).toBe(ann.conversation('x'.repeat(1000)));
    expect(() => ann.conversation('x'.repeat(1001))).toThrow('at most 1000 characters');
  });

  it('[TEN3] charges calls to the purses of the user, the team and the key', async () => {
    const each = { maxUsd: 1 };
    const breaker = new Breaker({
      budget: { perUser: each, perTeam: { maxUsd: 3 }, keys: { web: { maxUsd: 2 } } },
    });
    const tenant = { user: 'ann', team: 'research', key: 'web' };
    const spend = async (names: object, costUsd: number): Promise<string | undefined> => {
      const chat = breaker.for(names).conversation('chat');
      await chat.admit(modelRequest({ requestId: '1', estimatedCostUsd: 0 }));
      chat.observe(paid('1', costUsd));
      return chat.trip?.evidence.purse;
    };
    expect(await spend(tenant, 1)).toBeUndefined();
    expect(await spend({ ...tenant, user: 'bob' }, 1)).toBeUndefined();
    expect(await spend({ ...tenant, user: 'cid' }, 0.5)).toBe('key:web');
    expect(await spend({ user: 'dan', team: 'research' }, 0.9)).toBe('team:research');
    expect(await spend({ user: 'ann', team: 'sales' }, 0.1)).toBe('user:ann');
  });

  it('[TEN3] says so in the request, whatever the request says', async () => {
    const breaker = new Breaker();
    const seen: unknown[] = [];
    breaker.on('signal', ({ signal }) => seen.push(signal));
    const claimed = { user: 'bob', team: 'research', key: 'web' };
    await breaker.for({ user: 'ann', team: 'sales' }).admit(modelRequest(claimed));
    expect(seen).toEqual([{ ...modelRequest(), user: 'ann', team: 'sales' }]);
  });

  it.each([
    [{ user: 'ann' }, undefined],
    [{ user: 'ann', team: 'research' }, 'budget'],
  ])('[TEN3] charges no team that the request names: a tenant %j', (names, kind) => {
    const breaker = new Breaker({ budget: { perUser: { maxUsd: 9 }, perTeam: { maxUsd: 1 } } });
    const ann = breaker.for(names);
    ann.admit(modelRequest({ requestId: '1', team: 'research' }));
    ann.observe(paid('1', 1));
    const asked = breaker.for({ team: 'research' }).admit(modelRequest({ estimatedCostUsd: 0.5 }));
    expect(asked).toMatchObject(kind ? { trip: { kind } } : { isAdmitted: true });
  });

  it('[TEN3] charges what no request has asked for as well', () => {
    const breaker = new Breaker({ budget: { perUser: { maxUsd: 1 } } });
    const ann = breaker.for({ user: 'ann' });
    ann.trackCost(2);
    expect(ann.conversation().trip?.evidence.purse).toBe('user:ann');
  });

  it('[TEN4] stops alone, with all that is done under further names, until its reset', () => {
    const breaker = new Breaker();
    const ann = breaker.for({ user: 'ann' });
    const inTeam = breaker.for({ user: 'ann', team: 'research' }).conversation('chat');
    inTeam.observe(message('writer', 'one'));
    expect(ann.stop('unpaid')).toMatchObject({ kind: 'manual', conversation: 'user:ann/' });
    expect(inTeam.admit(turn('writer'))).toMatchObject({
      isAdmitted: false,
      trip: { reason: 'unpaid' },
    });
    expect(ann.conversation('new').trip?.reason).toBe('unpaid');
    expect(breaker.for({ team: 'x', user: 'ann' }).conversation().trip?.reason).toBe('unpaid');
    expect(breaker.for({ user: 'bob' }).conversation().trip).toBeUndefined();
    expect(breaker.for({ team: 'research' }).conversation().trip).toBeUndefined();
    expect(breaker.conversation().trip).toBeUndefined();
    ann.reset();
    expect([inTeam.trip, ...breaker.stopped]).toEqual([undefined]);
  });

  it('[TEN4] stays stopped with the whole breaker, and is reset with it', () => {
    const breaker = new Breaker();
    const ann = breaker.for({ user: 'ann' });
    breaker.stop('down');
    ann.reset();
    expect(ann.conversation().trip?.reason).toBe('down');
    expect(ann.conversation('chat').trip?.reason).toBe('down');
    ann.stop('unpaid');
    breaker.reset();
    expect(ann.conversation('other').trip).toBeUndefined();
  });

  it('[TEN5] tells of its own conversations alone: what is stopped, spent, counted and heard', () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const [ann, bob] = [breaker.for({ user: 'ann' }), breaker.for({ user: 'bob' })];
    const heard: string[] = [];
    ann.on('trip', ({ conversation }) => heard.push(conversation));
    bob.observe(message('writer', 'one'));
    bob.observe(paid('1', 0.25));
    breaker.for({ user: 'ann', key: 'web' }).observe(message('writer', 'one'));
    breaker.for({ user: 'ann', key: 'web' }).observe(paid('1', 0.5));
    ann.observe(paid('1', 0.125));
    expect(heard).toEqual(['user:ann key:web/']);
    expect(ann.stopped.map(({ id }) => id)).toEqual(['user:ann key:web/']);
    expect([ann, bob, breaker].map(({ cost }) => cost.nanoUsd / 1e9)).toEqual([0.625, 0.25, 0.875]);
    expect([ann, bob, breaker].map(({ counters }) => counters.modelCalls)).toEqual([2, 1, 3]);
    expect(internalsOf(ann).conversations.others.map(({ id }) => id)).toEqual([
      'user:ann key:web/',
    ]);
  });

  it('[TEN6] is the same as long as somebody holds it, and narrows down', () => {
    const breaker = new Breaker();
    const ann = breaker.for({ user: 'ann' });
    expect(breaker.for({ user: 'ann' })).toBe(ann);
    expect(ann.for({ team: 'x' })).toBe(breaker.for({ team: 'x', user: 'ann' }));
    expect(ann.for({ user: 'ann' })).toBe(ann);
    expect(ann).toBeInstanceOf(Breaker);
    expect(() => ann.for({ user: 'bob' })).toThrow(
      "option 'user': expected the name that this tenant has already",
    );
  });

  it.each([
    [{}, 'a tenant needs the name of a user, a team or a key'],
    [{ user: undefined }, 'a tenant needs the name of a user, a team or a key'],
    [{ user: '' }, "option 'user': expected a name that is not empty"],
    [{ user: 7 }, "option 'user': expected text, received 7"],
    [{ usr: 'ann' }, "did you mean 'user'?"],
    [null, "option 'names': expected an object with a user, a team or a key, received null"],
  ])('[TEN7] is refused for %j', (names, message) => {
    expect(() => new Breaker().for(names as never)).toThrow(message);
  });

  it('[TEN8] is in the snapshot of the whole breaker: conversations, stops and spend', () => {
    const breaker = new Breaker({ maxMessages: 1, budget: { perUser: { maxUsd: 1 } } });
    const ann = breaker.for({ user: 'ann' });
    ann.conversation('chat').observe(message('writer', 'one'));
    ann.conversation('chat').observe(paid('1', 0.75));
    breaker.for({ user: 'bob' }).stop('unpaid');
    const restored = new Breaker({ maxMessages: 1, budget: { perUser: { maxUsd: 1 } } });
    restored.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    const again = restored.for({ user: 'ann' });
    expect(again.conversation('chat').trip?.kind).toBe('limit');
    expect(again.cost).toEqual(ann.cost);
    expect(restored.for({ user: 'bob' }).conversation('new').trip?.reason).toBe('unpaid');
    again.conversation('other').observe(paid('2', 0.5));
    expect(again.conversation('other').trip?.evidence.purse).toBe('user:ann');
  });

  it('[TEN9] lends the judge of its team to nobody else', () => {
    const breaker = new Breaker();
    const [ann, bob] = [breaker.for({ user: 'ann' }), breaker.for({ user: 'bob' })];
    const takeBack = internalsOf(ann).judges.lend(() => 0);
    expect(internalsOf(ann).judges.current).toBeDefined();
    expect(internalsOf(ann.for({ team: 'x' })).judges.current).toBeDefined();
    expect(internalsOf(bob).judges.current).toBeUndefined();
    expect(internalsOf(breaker).judges.current).toBeUndefined();
    takeBack();
    expect(internalsOf(ann).judges.current).toBeUndefined();
  });

  it("[TEN10] has one circuit of its own with scope: 'breaker'", () => {
    const breaker = new Breaker({ scope: 'breaker', maxMessages: 2 });
    const ann = breaker.for({ user: 'ann' });
    ann.conversation('a').observe(message('writer', 'one'));
    ann.conversation('b').observe(message('writer', 'two'));
    expect(ann.conversation('c').trip?.kind).toBe('limit');
    expect(breaker.conversation('a').trip).toBeUndefined();
    expect(breaker.for({ user: 'bob' }).conversation('a').trip).toBeUndefined();
  });
});
