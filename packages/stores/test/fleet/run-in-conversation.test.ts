import { Breaker, type Conversation, MemoryBudgetStore, type SignalInput } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import {
  type ConversationStore,
  MemoryCircuitStore,
  MemoryConversationStore,
  runInConversation,
  shared,
} from '../../src/fleet/index.ts';
import { inProcess, tripsAsInOne } from './fleet.ts';

const id = 'chat 7';

const said = (text: string): SignalInput => ({ kind: 'message', agent: 'ann', text });
const say = (text: string) => (chat: Conversation) => chat.observe(said(text))?.kind;

describe('a conversation that moves', () => {
  it.each([1, 2])('[MOV1] trips as it would in one process: seed %i', tripsAsInOne);

  it('[MOV2] is shared by runs side by side in one process', async () => {
    const memory = new MemoryConversationStore();
    const calls: string[] = [];
    const store: ConversationStore = {
      load: async (name) => {
        calls.push('load');
        return memory.load(name);
      },
      save: async (...given) => {
        calls.push('save');
        return memory.save(...given);
      },
    };
    const { breaker, errors } = inProcess({ maxMessages: 2 });
    let end = (): void => {};
    const first = runInConversation(breaker, { store, id }, async (chat) => {
      await new Promise<void>((resolve) => {
        end = resolve;
      });
      return say('Last.')(chat);
    });
    const second = await runInConversation(breaker, { store, id }, say('First.'));
    expect([second, calls]).toEqual([undefined, ['load']]);
    end();
    expect(await first).toBe('limit');
    expect(calls).toEqual(['load', 'save']);
    await runInConversation(breaker, { store, id }, () => {});
    expect([calls, errors]).toEqual([['load', 'save', 'load', 'save'], []]);
  });

  it('[MOV3] keeps what another process has saved meanwhile, and says so', async () => {
    const store = new MemoryConversationStore();
    const [one, other] = [inProcess({ maxMessages: 3 }), inProcess({ maxMessages: 3 })];
    const result = await runInConversation(one.breaker, { store, id }, async (chat) => {
      await runInConversation(other.breaker, { store, id }, (there) => {
        say('One.')(there);
        say('Two.')(there);
      });
      say('Three.')(chat);
      return 'done';
    });
    expect(result).toBe('done');
    expect([one.errors, other.errors]).toEqual([
      ["store: another process has gone on with the conversation 'chat 7' meanwhile"],
      [],
    ]);
    expect(await runInConversation(one.breaker, { store, id }, say('Three.'))).toBe('limit');
  });

  it('[MOV4] runs although its store fails, and says so', async () => {
    const failing = (): never => {
      throw new Error('connection refused');
    };
    const { breaker, errors } = inProcess();
    const store = { load: failing, save: async () => failing() };
    expect(await runInConversation(breaker, { store, id }, () => 'done')).toBe('done');
    expect(errors).toEqual(Array(2).fill('store: connection refused'));
    const wrong = runInConversation(breaker, { store, id }, () => {
      throw new TypeError('wrong');
    });
    await expect(wrong).rejects.toThrow(new TypeError('wrong'));
  });

  it('[MOV4] waits ten seconds for its store', async () => {
    const clock = new FakeClock(0);
    const { breaker, errors } = inProcess({ now: clock.now, timers: clock.timers });
    const store: ConversationStore = { load: () => new Promise(() => {}), save: () => 'a' };
    const run = runInConversation(breaker, { store, id }, () => 'done');
    await new Promise((resolve) => setImmediate(resolve));
    clock.advance(10_000);
    expect(await run).toBe('done');
    expect(errors).toEqual(['store: the store of conversations has not answered within 10000 ms']);
  });

  it('[MOV5] takes its purse along', async () => {
    const [books, store] = [new MemoryBudgetStore(), new MemoryConversationStore()];
    const options = { budget: { perConversation: { maxUsd: 1 }, store: books } };
    const spend = (usd: number) => (chat: Conversation) => chat.trackCost(usd);
    await runInConversation(inProcess(options).breaker, { store, id }, spend(0.6));
    const there = inProcess(options).breaker;
    await runInConversation(there, { store, id: 'chat 8' }, spend(0.6));
    expect(there.stopped).toEqual([]);
    await runInConversation(there, { store, id }, spend(0.6));
    expect(there.stopped).toMatchObject([{ id, trip: { kind: 'budget' } }]);
  });

  it('[MOV6] heeds a stop of its tenant, whatever was saved', async () => {
    const store = new MemoryConversationStore();
    await runInConversation(inProcess().breaker.for({ user: 'ann' }), { store }, say('Hello.'));
    const { breaker } = inProcess();
    breaker.for({ user: 'ann' }).stop('the invoice is open');
    const state = await runInConversation(
      breaker.for({ user: 'ann' }),
      { store },
      (chat) => chat.state.status,
    );
    expect(state).toBe('stopped');
  });

  it('[MOV6] heeds what the fleet says of its circuit', async () => {
    const [store, circuits] = [new MemoryConversationStore(), shared(new MemoryCircuitStore())];
    const [one, other] = [inProcess({ circuits }).breaker, inProcess({ circuits }).breaker];
    await runInConversation(one, { store, id }, say('Hello.'));
    one.conversation(id).stop('enough');
    const status = (chat: Conversation) => chat.state.status;
    expect(await runInConversation(other, { store, id }, status)).toBe('stopped');
    one.conversation(id).reset();
    expect(await runInConversation(other, { store, id }, status)).toBe('closed');
  });

  it.each([
    ['of another version', { version: 1, state: {} }, /version 6/],
    ['that is damaged', { version: 6, state: { nextIndex: -1 } }, /nextIndex/],
    ['that is none', 'hello', /version 6/],
  ])('[MOV7] replaces a state %s, and says so', async (_, state, message) => {
    const store = new MemoryConversationStore();
    store.save(id, state, undefined);
    const { breaker, errors } = inProcess({ maxMessages: 2 });
    expect(await runInConversation(breaker, { store, id }, say('One.'))).toBeUndefined();
    expect(errors).toEqual([expect.stringMatching(message)]);
    const there = inProcess({ maxMessages: 2 });
    expect(await runInConversation(there.breaker, { store, id }, say('Two.'))).toBe('limit');
    expect(there.errors).toEqual([]);
  });

  it.each([
    ['store', {}],
    ['store', { store: { load() {} } }],
    ['id', { store: new MemoryConversationStore(), id: 7 }],
    ['name', { store: new MemoryConversationStore(), name: 'chat' }],
  ])('[MOV8] is refused by name with a wrong option %s', async (option, given) => {
    const run = runInConversation(new Breaker(), given as never, () => 1);
    await expect(run).rejects.toThrow(`option '${option}': `);
  });

  it('[MOV9] goes on with what its process knows where the store has forgotten it', async () => {
    let memory = new MemoryConversationStore();
    const store: ConversationStore = {
      load: (name) => memory.load(name),
      save: (...given) => memory.save(...given),
    };
    const [one, other] = [inProcess({ maxMessages: 3 }), inProcess({ maxMessages: 3 })];
    await runInConversation(one.breaker, { store, id }, say('One.'));
    memory = new MemoryConversationStore();
    await runInConversation(one.breaker, { store, id }, say('Two.'));
    expect(await runInConversation(other.breaker, { store, id }, say('Three.'))).toBe('limit');
    expect([one.errors, other.errors]).toEqual([[], []]);
  });

  it('[MOV8] is refused without a function', async () => {
    const store = new MemoryConversationStore();
    await expect(runInConversation(new Breaker(), { store }, 1 as never)).rejects.toThrow("'work'");
  });
});
