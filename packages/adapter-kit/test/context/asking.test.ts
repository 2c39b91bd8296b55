import { Breaker, type BudgetStore, type Conversation, MemoryBudgetStore } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import { ALARM_REASON, alarmOn, says } from '../../../testing/src/adapters/alarm.ts';
import * as kit from '../../src/index.ts';
import { callTool, streamTool, takeTurn } from '../support/steps.ts';

const PROMPT = [{ content: 'four by four' }];

/** A store whose first reservation fails. */
function forgetful(): BudgetStore {
  const books = new MemoryBudgetStore();
  let isDown = true;
  return {
    reserve: (...request) => {
      if (!isDown) return books.reserve(...request);
      isDown = false;
      throw new Error('no connection');
    },
    settle: (...usage) => books.settle(...usage),
    totals: (...names) => books.totals(...names),
  };
}

function setUp(breaker: Breaker) {
  const problems: kit.GuardProblem[] = [];
  const context = new kit.GuardContext(breaker, {
    prices: { price: () => ({ nanoUsd: 1_000_000_000 }) },
    onError: (problem) => problems.push(problem),
  });
  const call = (info: Partial<kit.ModelCallInfo> = {}) =>
    kit.beginModel(context, { agent: 'ann', model: 'm', prompt: PROMPT, ...info });
  const turn = (work: () => Promise<string> = async () => 'done') =>
    takeTurn(context, { agent: 'ann', work, said: () => undefined, rehearsed: '' });
  return { context, problems, call, turn };
}

describe('asking', () => {
  it('[ADP40] is refused for the rest of the run once the budget store has failed, though no circuit is open', async () => {
    const clock = new FakeClock(1_000);
    const budget = { maxTokens: 9_000, store: forgetful() };
    const breaker = new Breaker({ now: clock.now, budget });
    breaker.on('error', () => {});
    const { context, call, turn } = setUp(breaker);
    const run = context.openRun();
    const inside = { run, depth: 0, path: ['crew'] };
    const trip = {
      kind: 'budget',
      basis: 'declared',
      conversation: '',
      reason: expect.stringMatching(/^the budget could not be checked: .*no connection/),
      at: 1_000,
      index: 1,
      agents: ['ann'],
      evidence: {
        agents: ['ann'],
        indices: [],
        count: 1,
        limit: 1,
        signals: [],
        cost: breaker.cost,
      },
    };
    await expect(context.within(inside, () => call())).rejects.toMatchObject({ trip });
    await expect(context.within(inside, () => turn())).rejects.toMatchObject({ trip });
    expect([context.trip, breaker.conversation().trip]).toEqual([trip, undefined]);
    context.closeRun(run);
    expect(context.trip).toBeUndefined();
    await expect(call()).resolves.toBeDefined();
  });

  it('[KIT21] ends the run in good order, though the framework has made an error of its own of the refusal', async () => {
    const { context, turn } = setUp(new Breaker());
    const own = new Error('the member failed');
    const team = { name: 'crew', task: 'Go', stopped: () => 'stopped' };
    const refused = () => {
      context.breaker.stop('enough');
      return turn().catch(() => {
        throw own;
      });
    };
    await expect(kit.runTeam(context, { ...team, work: refused })).resolves.toBe('stopped');
    context.breaker.reset();
    const failing = () => Promise.reject(own);
    await expect(kit.runTeam(context, { ...team, work: failing })).rejects.toBe(own);
  });

  it('[KIT44] is granted to the turns and model calls of work that wraps up, and to nothing else', async () => {
    const { context, call, turn } = setUp(new Breaker({ budget: { maxUsd: 3, reserveUsd: 1 } }));
    await call();
    await call();
    await expect(call()).rejects.toThrow('budget');
    await expect(turn()).rejects.toThrow('budget');
    await context.wrapUp(() => turn(async () => (await call()) && 'done'));
    const tool = { agent: 'ann', tool: 'look', args: {}, work: async () => 'blue' };
    await expect(context.wrapUp(() => callTool(context, tool))).rejects.toThrow('budget');
    context.breaker.reset();
    context.breaker.stop('by hand');
    await expect(context.wrapUp(() => turn())).rejects.toThrow('by hand');
  });

  it('[KIT44] is granted to work that wraps up before anything has stopped the team', async () => {
    const { context, turn, problems } = setUp(new Breaker());
    await expect(context.wrapUp(() => turn())).resolves.toBe('done');
    expect(problems).toEqual([]);
  });
});

const NOBODY = new Error('nobody at the gate');
const throws = (): never => {
  throw NOBODY;
};

/** A breaker that fails when it is asked. */
class MuteBreaker extends Breaker {
  readonly #admit: Conversation['admit'];

  constructor(admit: Conversation['admit'] = throws) {
    super();
    this.#admit = admit;
  }

  override conversation(id: string): Conversation {
    return Object.assign(super.conversation(id), { admit: this.#admit });
  }
}

describe('a tool that waits for the same call', () => {
  const pay = { agent: 'ann', tool: 'pay', args: {} };

  it.each([
    ['whole', callTool],
    [
      'streamed',
      (context: kit.GuardContext, { work, ...info }: Parameters<typeof callTool>[1]) => {
        const open = async function* (): AsyncGenerator<unknown, unknown> {
          yield await work(undefined);
          return 'paid';
        };
        return streamTool(context, { ...info, open }).next();
      },
    ],
  ])('[KIT36] is not made, %s, once its caller has left', async (_, make) => {
    const { context } = setUp(new Breaker({ maxIdenticalInFlight: 1 }));
    let end = (_: string): void => undefined;
    const first = callTool(context, { ...pay, work: () => new Promise((paid) => (end = paid)) });
    const controller = new AbortController();
    let calls = 0;
    const waiting = make(context, {
      ...pay,
      signal: controller.signal,
      work: async () => calls++,
    });
    const reason = new Error('enough');
    controller.abort(reason);
    end('paid');
    await first;
    await expect(waiting).rejects.toBe(reason);
    expect(calls).toBe(0);
  });
});

describe('a breaker that cannot be asked', () => {
  it.each([
    ['throws', throws],
    ['rejects', () => Promise.reject(NOBODY)],
  ])('[ADP34] lets a step begin where it %s, and that is reported', async (_, admit) => {
    const { problems, turn } = setUp(new MuteBreaker(admit));
    expect(await turn()).toBe('done');
    expect(problems).toEqual([{ during: 'admit', error: NOBODY }]);
  });

  it('[ADP40] refuses a step where its store fails, also if it comes from another copy of core', async () => {
    const error = Object.assign(new Error('no connection'), { code: 'BUDGET_STORE' });
    const { turn } = setUp(new MuteBreaker(() => Promise.reject(error)));
    await expect(turn()).rejects.toThrow('the budget could not be checked: no connection');
  });

  it('[KIT36] gives the error to a caller who has ended the wait', async () => {
    const { problems, call } = setUp(new MuteBreaker(() => Promise.reject(NOBODY)));
    await expect(call({ signal: AbortSignal.abort(NOBODY) })).rejects.toBe(NOBODY);
    expect(problems).toEqual([]);
  });

  it('[ADP39] refuses what it has stopped', async () => {
    const breaker = new MuteBreaker();
    breaker.stop('by hand');
    await expect(setUp(breaker).turn()).rejects.toThrow('by hand');
  });
});

describe('a model call that chooses who speaks', () => {
  const clock = new FakeClock(1_000);
  const breaker = new Breaker({
    now: clock.now,
    cooldownMs: 100,
    detectors: [alarmOn(says('fire'))],
  });
  const { context, call } = setUp(breaker);
  const choose = () => call({ isSelection: true });

  it('[ADP27] is asked for like any other until the circuit has cooled down, and is no probe then', async () => {
    await choose();
    breaker.observe({ kind: 'message', at: 1_000, agent: 'ann', text: 'fire' });
    clock.advance(99);
    await expect(choose()).rejects.toThrow(ALARM_REASON);
    clock.advance(1);
    const requests: string[] = [];
    breaker.on('signal', ({ signal }) => requests.push(signal.kind));
    await choose();
    expect([breaker.conversation().state.status, requests]).toEqual(['open', ['model-request']]);
    await call();
    expect(breaker.conversation().state.status).toBe('half-open');
  });

  it('[ADP10] is refused in a run that was stopped, however long ago', async () => {
    breaker.reset();
    const run = context.openRun();
    const inside = { run, depth: 0, path: ['crew'] };
    breaker.observe({ kind: 'message', at: clock.now(), agent: 'ann', text: 'fire' });
    clock.advance(500);
    await expect(context.within(inside, choose)).rejects.toThrow(ALARM_REASON);
    context.closeRun(run);
  });
});
