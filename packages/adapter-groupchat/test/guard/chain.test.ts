import { GuardInstallError } from '@teamfuse/core/kit';
import { TapSet } from '@teamfuse/groupchat';
import { describe, expect, test } from 'vitest';
import { type GuardProblem, guardAgents } from '../../src/index.ts';
import { speaker } from '../support/agents.ts';
import { bareBreaker } from '../support/bare-breaker.ts';
import { HookedAgent, PlainAgent } from '../support/plain-agent.ts';
import { SaidDetector } from '../support/said-detector.ts';
import { record } from '../support/signals.ts';
import { watched } from '../support/watched.ts';

type Registered = Parameters<PlainAgent['registerReply']>;

/** Puts functions at the end unless it is told otherwise, and can remove them. */
class OrderlyAgent extends PlainAgent {
  registrations = 0;

  override registerReply(...[trigger, replyFunc, options = {}]: Registered): void {
    const { position = this.replyFuncList.length } = options;
    this.registrations = (this.registrations ?? 0) + 1;
    super.registerReply(trigger, replyFunc, { position });
  }

  removeReplyFunc(removed: Registered[1]): void {
    const at = this.replyFuncList.findIndex(({ replyFunc }) => replyFunc === removed);
    if (at >= 0) this.replyFuncList.splice(at, 1);
  }
}

const mine: Registered[1] = () => [true, 'mine'];

/** Lets go of no tap. */
class StickyTaps extends TapSet {
  override add(tap: Parameters<TapSet['add']>[0]): () => void {
    super.add(tap);
    return () => {};
  }
}

describe('the place of the guard in a chain', () => {
  test('[GCI1] is the first where functions go to the end by default, and stays it', async () => {
    const [a, b] = [new OrderlyAgent('A', []), new OrderlyAgent('B', 'uno')];
    guardAgents([a, b], bareBreaker({ maxMessages: 1 }));
    b.registerReply([() => true], mine, { position: 0 });
    await a.send('hello', b);
    await a.send('hello again', b);
    expect(a.historyWith(b).map(({ content }) => content)).toEqual([
      'hello',
      'mine',
      'hello again',
    ]);
  });

  test('[GCI1] is left to other guards that are there before it', async () => {
    const [a, b] = [new OrderlyAgent('A', []), new OrderlyAgent('B', 'uno')];
    const before = b.registrations;
    for (const breaker of [bareBreaker(), bareBreaker()]) guardAgents([a, b], breaker);
    await a.send('hello', b);
    await a.send('hello', b);
    expect(b.registrations).toBe(before + 2);
  });

  test('[GCI2] has to be the first: an agent that puts it elsewhere is refused', () => {
    const stubborn = new PlainAgent('stubborn');
    stubborn.registerReply = (trigger, replyFunc) => {
      stubborn.replyFuncList.push({ trigger, replyFunc });
    };
    const expected = 'registerReply to put a function at position 0';
    expect(() => guardAgents([stubborn], bareBreaker())).toThrow(
      new GuardInstallError('stubborn', expected),
    );
    expect(stubborn.replyFuncList).toHaveLength(1);
  });

  test('[GCS7] is taken again before any turn, also one outside of all chats', async () => {
    const [a, b] = [speaker('A'), speaker('B')];
    const breaker = bareBreaker();
    guardAgents([a, b], breaker, { onTrip: 'reply' });
    b.registerReply([() => true, null], () => [true, 'mine']);
    breaker.stop('enough');
    await a.send('hello', b, { requestReply: true });
    expect(a.chatMessages.get(b)?.at(-1)?.content).toBe('[CIRCUIT OPEN] enough');
  });

  test('[GCS7] is taken again in a chain that is empty', async () => {
    const [a, b] = [new PlainAgent('A', []), new PlainAgent('B', [])];
    const { problems } = watched([a, b]);
    b.replyFuncList.length = 0;
    await b.send('hello', a);
    expect(b.replyFuncList).toHaveLength(1);
    expect(problems).toEqual([]);
  });

  test('[GCF2] that cannot be taken again is reported, and the turn begins', async () => {
    const problems: GuardProblem[] = [];
    const [a, b] = [new PlainAgent('A', []), new PlainAgent('B', [])];
    guardAgents([a, b], bareBreaker(), { onError: (problem) => problems.push(problem) });
    const full = new Error('no room');
    b.replyFuncList.length = 0;
    b.registerReply = () => {
      throw full;
    };
    await b.send('hello', a);
    expect(a.turns).toBe(1);
    expect(problems).toEqual([{ during: 'admit', error: full }]);
  });
});

describe('a guard that is removed', () => {
  test('[GCU5] leaves alone what others have put before it', () => {
    const a = new PlainAgent('A');
    const guard = guardAgents([a], bareBreaker());
    a.registerReply([() => true], mine);
    guard.uninstall();
    expect(a.replyFuncList.map(({ replyFunc }) => replyFunc)).toContain(mine);
    expect(a.replyFuncList).toHaveLength(2);
  });

  test('[GCU5] leaves alone what others have put in its place', () => {
    const a = new PlainAgent('A');
    const guard = guardAgents([a], bareBreaker());
    a.replyFuncList.length = 0;
    a.registerReply([() => true], mine);
    guard.uninstall();
    expect(a.replyFuncList).toHaveLength(1);
  });

  test('[GCU5] is let go of by the agent itself where its chain cannot be read', () => {
    const a = new OrderlyAgent('A');
    const sealed = {
      name: 'A',
      registerReply: a.registerReply.bind(a),
      removeReplyFunc: a.removeReplyFunc.bind(a),
    };
    guardAgents([sealed], bareBreaker()).uninstall();
    expect(a.replyFuncList).toHaveLength(1);
  });

  test('[GCU5] stays without effect where the chain is only shown', () => {
    const a = new PlainAgent('A');
    const shown = {
      name: 'A',
      registerReply: a.registerReply.bind(a),
      get replyFuncList() {
        return Object.freeze([...a.replyFuncList]);
      },
    };
    const breaker = bareBreaker();
    guardAgents([shown], breaker).uninstall();
    breaker.stop();
    expect(a.replyFuncList[0]?.replyFunc(a, [], new PlainAgent('B'))).toEqual([false, null]);
  });

  test('[GCU5] neither hears nor warns an agent that cannot let go of its hooks', () => {
    const a = new HookedAgent('A');
    Object.assign(a, { removeHook: undefined });
    const breaker = bareBreaker({ reaction: 'warn', detectors: [() => new SaidDetector('loop')] });
    const guard = guardAgents([a], breaker);
    breaker.observe({ kind: 'message', at: 0, agent: 'somebody', text: 'loop' });
    const signals = record(breaker);
    guard.uninstall();
    const [send] = a.hooks.processMessageBeforeSend;
    const [reply] = a.hooks.processAllMessagesBeforeReply;
    const history = [{ role: 'user', name: 'B', content: 'hello' }];
    expect(send?.({ sender: a, message: 'hello', recipient: new PlainAgent('B') })).toBe('hello');
    expect(reply?.(history)).toBe(history);
    expect(signals).toEqual([]);
  });

  test('[GCI5] stops nothing where its taps cannot be taken away', async () => {
    const [a, b] = [speaker('A', 'on', { taps: new StickyTaps() }), speaker('B')];
    const breaker = bareBreaker();
    guardAgents([a, b], breaker).uninstall();
    breaker.stop();
    const { stopKind } = await b.initiateChat(a, { message: 'hello', maxTurns: 1 });
    expect(stopKind).toBe('max_turns');
  });
});

describe("the guard's function, called by hand,", () => {
  test.each([
    ['an agent with taps', speaker('A')],
    ['an agent without taps', new PlainAgent('A')],
  ])('[GCI1] lets the turn of %s go on, and tells nothing', (_, a) => {
    const { signals, problems } = watched([a]);
    const replyFunc = a.replyFuncList[0]?.replyFunc as GuardFunction;
    expect(replyFunc(a, null, null)).toEqual([false, null]);
    expect([signals, problems]).toEqual([[], []]);
  });
});

type GuardFunction = (agent: object, messages: null, sender: null) => unknown;
