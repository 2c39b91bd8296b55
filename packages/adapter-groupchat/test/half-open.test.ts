import { describe, expect, test } from 'vitest';
import { group, speaker, thinker } from './support/agents.ts';
import { COOLDOWN_MS, openCircuit } from './support/open-circuit.ts';
import { said } from './support/signals.ts';

describe('after the cool-down', () => {
  test('[GCH1] until then nobody answers', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS - 1);
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory).toHaveLength(1);
    const when = 'the circuit is still open for 1 s after an earlier run';
    expect(stopReason).toBe(`${when}: somebody said loop`);
    expect(breaker.conversation().state.status).toBe('open');
  });

  test('[GCH2] one turn is let through, and closes the circuit with something new', async () => {
    const [a, b] = [speaker('A', ['so it goes on']), speaker('B', ['news', 'bye'])];
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS);
    const { chatHistory, stopKind } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory.map(({ content }) => content)).toEqual([
      'hello',
      'news',
      'so it goes on',
      'bye',
    ]);
    expect(stopKind).toBe('no_reply');
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH2] it lasts until its reply is sent, whatever is said to others before', async () => {
    const [a, b, friend] = [speaker('A'), speaker('B', ['news']), speaker('friend')];
    b.registerHook('processMessageBeforeSend', async ({ message, recipient }) => {
      if (recipient === a) await b.send('hello', friend, { requestReply: false });
      return message;
    });
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS);
    await a.initiateChat(b, { message: 'hello', maxTurns: 1 });
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH3] a turn that repeats the old opens it again, for twice as long', async () => {
    const [a, b] = [speaker('A'), speaker('B', 'hello')];
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS);
    const { chatHistory, stopReason } = await a.initiateChat(b, { message: 'hello' });
    expect(chatHistory).toHaveLength(2);
    expect(stopReason).toBe('somebody said loop');
    expect(breaker.conversation().state).toMatchObject({
      status: 'open',
      probeFrom: clock.now() + 2 * COOLDOWN_MS,
    });
  });

  test('[GCH3] so does a turn that trips, one that says nothing and one that fails', async () => {
    const failing = speaker('failing');
    failing.registerReply([() => true, null], () => {
      throw new Error('no power');
    });
    for (const b of [speaker('B', 'loop'), speaker('B', []), failing]) {
      const a = speaker('A');
      const { breaker, clock } = openCircuit([a, b]);
      clock.advance(COOLDOWN_MS);
      await a.initiateChat(b, { message: 'hello' }).catch(() => {});
      expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
    }
  });

  test.each([
    ['says nothing', []],
    ['repeats the old', 'hello'],
  ])('[GCH3] so does one that %s outside of any chat, at once', async (_, says) => {
    const [a, b] = [speaker('A'), speaker('B', says)];
    const { breaker, clock } = openCircuit([b]);
    clock.advance(COOLDOWN_MS);
    await a.send('hello', b, { requestReply: true });
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCH3] so does one whose reply cannot be sent', async () => {
    const [a, b] = [speaker('A'), speaker('B', 'news')];
    b.registerHook('processMessageBeforeSend', () => {
      throw new Error('line is dead');
    });
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS);
    await expect(a.initiateChat(b, { message: 'hello' })).rejects.toThrow('line is dead');
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCH4] the turn may ask its model, run its tools and open its nested chats', async () => {
    const a = speaker('A', []);
    const { agent: b, client } = thinker('B', ['from the model']);
    const critic = thinker('critic', ['from the critic']);
    b.registerNestedChats(
      [{ recipient: critic.agent, message: 'What do you think?', maxTurns: 1 }],
      () => true,
      {
        replyFuncFromNestedChats: async (queue, recipient) => {
          const [chat] = queue;
          if (chat) await recipient.initiateChat(chat.recipient, { message: 'Well?', maxTurns: 1 });
          return [false, null];
        },
      },
    );
    const { breaker, clock, signals } = openCircuit([a, b, critic.agent]);
    clock.advance(COOLDOWN_MS);
    await a.initiateChat(b, { message: 'hello' });
    expect(said(signals)).toEqual(['B: Well?', 'critic: from the critic', 'B: from the model']);
    expect([client.calls.length, critic.client.calls.length]).toEqual([1, 1]);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH9] calls it asks for are part of it, whoever makes them', async () => {
    const call = { content: [{ id: '1', name: 'act', arguments: '{}' }] };
    const old = { kind: 'tool-call', at: 0, agent: 'asker', tool: 'act', args: {} } as const;
    for (const [result, state, asked] of [
      ['new result', { status: 'closed' }, 2],
      ['old result', { status: 'open', openings: 2 }, 1],
    ] as const) {
      const { agent: asker, client } = thinker('asker', [call, 'TERMINATE']);
      const runner = speaker('runner', '', { functionMap: { act: () => result } });
      const { manager } = group([runner, asker]);
      const { breaker, clock } = openCircuit([asker, runner, manager]);
      breaker.observe({ ...old, result: 'old result' });
      clock.advance(COOLDOWN_MS);
      await runner.initiateChat(manager, { message: 'Act!' });
      expect(client.calls).toHaveLength(asked);
      expect(breaker.conversation().state).toMatchObject(state);
    }
  });

  test('[GCH9] calls that are all that is left to do are let through', async () => {
    const runner = speaker('runner', '', { functionMap: { act: () => 'new result' } });
    const asker = speaker('asker', []);
    const { breaker, clock } = openCircuit([asker, runner]);
    clock.advance(COOLDOWN_MS);
    const message = { content: null, tool_calls: [{ id: '1', function: { name: 'act' } }] };
    await asker.initiateChat(runner, { message });
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH7] of chats that share a circuit and begin together one is let through', async () => {
    const pairs = ['1', '2', '3'].map((at) => [
      speaker(`A${at}`, []),
      speaker(`B${at}`, [`news ${at}`]),
    ]);
    const { breaker, clock } = openCircuit(pairs.flat(), {}, 'breaker');
    clock.advance(COOLDOWN_MS);
    const results = await Promise.all(
      pairs.map(([a = speaker('A'), b = speaker('B')]) => a.initiateChat(b, { message: 'hello' })),
    );
    expect(results.map(({ chatHistory }) => chatHistory.length)).toEqual([2, 1, 1]);
    expect(breaker.conversation().state.status).toBe('closed');
  });

  test('[GCH8] a reply that is asked for and never sent does not hold the next turn up', async () => {
    const [a, b] = [speaker('A'), speaker('B', 'news')];
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS);
    const messages = [{ role: 'user', content: 'hello' }];
    expect(await b.generateReply({ messages, sender: a })).toBe('news');
    expect(breaker.conversation().state.status).toBe('half-open');
    expect(await b.generateReply({ messages, sender: a })).toBeNull();
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCH8] nor does it let a turn pass with calls that it has not asked for', async () => {
    let ran = 0;
    const [a, b] = [speaker('A'), speaker('B', 'news', { functionMap: { act: () => ++ran } })];
    const { breaker, clock } = openCircuit([a, b]);
    clock.advance(COOLDOWN_MS);
    await b.generateReply({ messages: [{ role: 'user', content: 'hello' }], sender: a });
    const calls = { content: null, tool_calls: [{ id: '1', function: { name: 'act' } }] };
    expect(await b.generateReply({ messages: [calls], sender: a })).toBeNull();
    expect([ran, breaker.conversation().state]).toMatchObject([0, { status: 'open', openings: 2 }]);
  });

  test('[GCH8] nor does a reply with calls that nobody carries out', async () => {
    const call = { content: [{ id: '1', name: 'act', arguments: '{}' }] };
    const { agent: asker, client } = thinker('asker', [call, 'more']);
    const runner = speaker('runner');
    const { breaker, clock } = openCircuit([asker, runner]);
    clock.advance(COOLDOWN_MS);
    await runner.send('Act!', asker, { requestReply: true });
    expect(breaker.conversation().state.status).toBe('half-open');
    const messages = [{ role: 'user', content: 'And?' }];
    expect(await asker.generateReply({ messages, sender: runner })).toBeNull();
    expect(client.calls).toHaveLength(1);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });
});
