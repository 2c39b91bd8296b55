import { FakeClock } from '@teamfuse/testing';
import { describe, expect, test } from 'vitest';
import { type GuardProblem, guardAgents } from '../../src/index.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from '../support/plain-agent.ts';
import { SaidDetector } from '../support/said-detector.ts';
import { ofKind, record, said } from '../support/signals.ts';

const COOLDOWN_MS = 1_000;

/** A guarded team. */
function closed(agents: readonly PlainAgent[]) {
  const clock = new FakeClock(1_000);
  const problems: GuardProblem[] = [];
  const detectors = [() => new SaidDetector('loop')];
  const breaker = bareBreaker({ cooldownMs: COOLDOWN_MS, now: clock.now, detectors });
  guardAgents(agents, breaker, { onError: (problem) => problems.push(problem) });
  return { breaker, clock, problems };
}

/** A guarded team whose circuit has cooled down. */
function cooledDown(agents: readonly PlainAgent[]) {
  const team = closed(agents);
  const { breaker, clock } = team;
  breaker.observe({ kind: 'message', at: clock.now(), agent: 'somebody', text: 'loop' });
  clock.advance(COOLDOWN_MS);
  return team;
}

/** Makes an agent greet another one when a peer asks it, and tell that peer some news. */
function relay(peer: PlainAgent, agent: PlainAgent, to: PlainAgent, news: string): void {
  agent.registerReply(
    [() => true],
    async (_recipient, _messages, sender) => {
      if (sender !== peer) return [true, null];
      await agent.send('hello', to);
      return [true, news];
    },
    { position: 1 },
  );
}

/** Puts messages into an agent's history that name nobody. */
function show(agent: PlainAgent, peer: PlainAgent, ...history: readonly [string, string][]): void {
  const nameless = history.map(([role, content]) => ({ role, content }));
  agent.historyWith(peer).push(...(nameless as ReturnType<PlainAgent['historyWith']>));
}

describe('a history that names nobody', () => {
  test('[GCU1] is told apart by the roles in it', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new PlainAgent('A'), new PlainAgent('B')];
    guardAgents([b], breaker);
    show(b, a, ['user', 'hello'], ['assistant', 'uno'], ['user', 'more']);
    await b.reply(a);
    expect(said(signals)).toEqual(['A: hello', 'B: uno', 'A: more']);
    expect(ofKind(signals, 'message').map(({ to }) => to)).toEqual(['B', 'A', 'B']);
  });

  test('[GCU1] is not reported again if nothing is new in it', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new PlainAgent('A'), new PlainAgent('B')];
    guardAgents([b], breaker);
    show(b, a, ['user', 'hello'], ['user', 'is there anybody?']);
    await b.reply(a);
    await b.reply(a);
    expect(said(signals)).toEqual(['A: hello', 'A: is there anybody?']);
  });
});

describe('a manager without taps', () => {
  test.each([
    ['that shows its history', PlainAgent],
    ['with hooks', HookedAgent],
  ])('[GCU1] %s is not heard: it only passes on what members say', async (_, Agent) => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, manager] = [new PlainAgent('A', ['one']), new Agent('manager', ['uno', 'dos'])];
    Object.assign(manager, { groupchat: { agents: [], messages: [] } });
    guardAgents([manager], breaker);
    await a.send('hello', manager);
    expect(said(signals)).toEqual([]);
  });
});

describe('a message of an agent with hooks', () => {
  test('[GCU2] is heard whether it is a text or an object', async () => {
    const breaker = bareBreaker();
    const signals = record(breaker);
    const [a, b] = [new HookedAgent('A'), new PlainAgent('B')];
    guardAgents([a], breaker);
    const [send] = a.hooks.processMessageBeforeSend;
    const outgoing = { sender: a, message: { content: 'in parts' } as never, recipient: b };
    expect(send?.(outgoing)).toEqual({ content: 'in parts' });
    expect(said(signals)).toEqual(['A: in parts']);
  });
});

describe('the probe of an agent without taps', () => {
  test('[GCU4] goes on in what it asks others', async () => {
    const [a, b, c] = [
      new PlainAgent('A', []),
      new PlainAgent('B', []),
      new PlainAgent('C', ['an idea']),
    ];
    const { breaker, problems } = cooledDown([a, b, c]);
    b.registerReply(
      [() => true],
      async (_recipient, _messages, sender) => {
        if (sender !== a) return [true, null];
        await b.send('What do you think?', c);
        return [true, 'C has an idea'];
      },
      { position: 1 },
    );
    await a.send('hello', b);
    expect(c.turns).toBe(1);
    expect(a.historyWith(b).map(({ content }) => content)).toEqual(['hello', 'C has an idea']);
    expect(breaker.conversation().state.status).toBe('closed');
    expect(problems).toEqual([]);
  });

  test('[GCU4] is not over while those it asks answer, though nothing new is said to them', async () => {
    const [a, b, c] = [new PlainAgent('A', []), new PlainAgent('B', []), new PlainAgent('C', [])];
    const { breaker } = cooledDown([a, b, c]);
    relay(a, b, c, 'The tide turns at noon.');
    relay(b, c, a, 'Eels like the dark.');
    await a.send('hello', b);
    expect(b.historyWith(c).map(({ content }) => content)).toEqual([
      'hello',
      'Eels like the dark.',
    ]);
    expect([a.turns, breaker.conversation().state.status]).toEqual([2, 'closed']);
  });

  test('[GCU4] has ended when the same peer asks again', async () => {
    const [a, b] = [new PlainAgent('A', []), new PlainAgent('B', [])];
    const { breaker } = cooledDown([a, b]);
    await a.send('hello', b);
    expect([b.turns, breaker.conversation().state.status]).toEqual([1, 'half-open']);
    await a.send('hello', b);
    expect(b.turns).toBe(1);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCH5] is the turn of a member, not that of a manager', async () => {
    const [a, b, c] = ['A', 'B', 'C'].map((name) => new PlainAgent(name, 'hello'));
    const manager = Object.assign(new PlainAgent('manager', []), {
      groupchat: { agents: [b, c], messages: [] },
    });
    const { breaker } = cooledDown([manager, b, c].flatMap((agent) => agent ?? []));
    manager.registerReply(
      [() => true],
      async () => {
        for (const member of [b, c]) await member?.reply(manager);
        return [true, null];
      },
      { position: 1 },
    );
    await a?.send('hello', manager);
    expect([b?.turns, c?.turns]).toEqual([1, 0]);
    expect(breaker.conversation().state).toMatchObject({ status: 'open', openings: 2 });
  });

  test('[GCU4] may be the turn of any pair, whoever spoke before the trip', async () => {
    const [a, b] = [new PlainAgent('A', []), new PlainAgent('B', ['loop'])];
    const [c, d] = [new PlainAgent('C', []), new PlainAgent('D', ['news'])];
    const { breaker, clock } = closed([a, b, c, d]);
    await a.send('hello', b);
    await a.send('are you there?', b);
    expect(breaker.conversation().state.status).toBe('open');
    clock.advance(COOLDOWN_MS);
    await c.send('hello', d);
    expect([d.turns, breaker.conversation().state.status]).toEqual([1, 'closed']);
  });
});

describe('a conversation without taps', () => {
  test('[GCF1] leaves nothing to report but its messages', async () => {
    const problems: GuardProblem[] = [];
    const [a, b] = [new PlainAgent('A', ['one']), new PlainAgent('B', ['uno', 'dos'])];
    guardAgents([a, b], bareBreaker(), { onError: (problem) => problems.push(problem) });
    await a.send('hello', b);
    expect([a.turns, b.turns, problems]).toEqual([2, 2, []]);
  });

  test('[GCF2] goes on when a turn cannot be asked for, and tells', async () => {
    const problems: GuardProblem[] = [];
    const [a, b] = [new PlainAgent('A', []), new PlainAgent('B', ['uno'])];
    const breaker = bareBreaker();
    guardAgents([b], breaker, { onError: (problem) => problems.push(problem) });
    const broken = new Error('no clock');
    breaker.now = () => {
      throw broken;
    };
    expect(b.replyFuncList[0]?.replyFunc(b, [], a)).toEqual([false, null]);
    await a.send('hello', b);
    expect(b.turns).toBe(1);
    expect(problems).toContainEqual({ during: 'admit', error: broken });
  });

  test.each([
    ['in a history', PlainAgent],
    ['as it is sent', HookedAgent],
  ])('[GCF1] goes on when a message cannot be read %s, and tells', async (_, Agent) => {
    const problems: GuardProblem[] = [];
    const broken = new Error('no text');
    const [a, b] = [new Agent('A', []), new PlainAgent('B', [])];
    guardAgents([a], bareBreaker(), { onError: (problem) => problems.push(problem) });
    const unreadable = {
      get content(): string {
        throw broken;
      },
    };
    a.historyWith(b).push(unreadable as never);
    if (a instanceof HookedAgent) await a.send(unreadable as never, b);
    else await a.reply(b);
    expect(problems).toEqual([{ during: 'observe', error: broken }]);
  });
});
