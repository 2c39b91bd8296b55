import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Breaker, type Signal } from '@teamfuse/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { beginAgent, GuardContext } from '../../src/index.ts';
import { callTool } from '../support/steps.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

let context: GuardContext<object>;
let calls: Signal[];

beforeEach(() => {
  const breaker = new Breaker({ now: () => 5 });
  calls = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'tool-call') calls.push(signal);
  });
  context = new GuardContext<object>(breaker);
});

const ASKED = { id: 'c1', tool: 'look', args: { at: 'sky' } };
const ERROR = { error: { message: 'no such tool' } };

describe('a call that reaches no tool', () => {
  it('[KIT114] is reported once, with what came of it', async () => {
    const { scope } = await beginAgent(context, { agent: 'ann' });
    context.within(scope, () => {
      context.callsAsked('ann', [ASKED]);
      context.callAnswered('c1', () => ERROR);
      context.callAnswered('c1', () => ERROR);
    });
    const call = { kind: 'tool-call', at: 5, agent: 'ann', tool: 'look', args: { at: 'sky' } };
    expect(calls).toEqual([{ ...call, callId: 'c1', ...ERROR }]);
  });

  it('[KIT114] has a name, and is told as not executed where it was denied', async () => {
    const { scope } = await beginAgent(context, { agent: 'ann' });
    context.within(scope, () => {
      context.callsAsked('ann', [{ ...ASKED, tool: '' }]);
      context.callAnswered('c1', () => ({ ...ERROR, isDenied: true }));
    });
    expect(calls).toMatchObject([{ tool: '(no name)', executed: false }]);
  });

  it('[KIT114] is none that nobody has asked for, or that a tool was asked about', async () => {
    const { scope } = await beginAgent(context, { agent: 'ann' });
    await context.within(scope, async () => {
      context.callAnswered('c1', () => ERROR);
      context.callsAsked('ann', [ASKED, { ...ASKED, id: 'c2' }]);
      const call = { agent: 'ann', tool: 'look', args: {}, work: async () => 'blue' };
      await callTool(context, { ...call, callId: 'c1' });
      context.callAnswered('c1', () => ERROR);
      await callTool(context, call);
      context.callAnswered('c2', () => ERROR);
    });
    expect(calls.filter((call) => 'error' in call)).toEqual([]);
  });

  it('[KIT114] is none of another conversation with the same id', async () => {
    const one = await beginAgent(context, { agent: 'ann' });
    const other = await beginAgent(context, { agent: 'bob' });
    context.within(one.scope, () => context.callsAsked('ann', [ASKED]));
    context.within(other.scope, () => context.callAnswered('c1', () => ERROR));
    expect(calls).toEqual([]);
  });

  it('[KIT114] [KIT115] was rejected by a person where a run that goes on has its error', async () => {
    const state = {};
    const first = await beginAgent(context, { agent: 'ann' });
    context.within(first.scope, () => {
      context.callsAsked('ann', [ASKED, { ...ASKED, id: 'c2' }]);
      context.keepFor(state);
    });
    await first.end();
    const next = await beginAgent(context, { agent: 'ann', continues: state });
    expect(next.scope.run.conversation).toBe(first.scope.run.conversation);
    context.within(next.scope, () => {
      context.callAnswered('c1', () => ERROR);
      context.callAnswered('c2', () => ({ result: 'blue' }));
    });
    const error = { code: 'REJECTED', message: 'no such tool' };
    expect(calls).toMatchObject([{ error, executed: false }, { result: 'blue' }]);
    expect(calls[1]).not.toHaveProperty('executed');
  });

  it('[KIT114] has failed where the outcome says that nobody has denied it', async () => {
    const state = {};
    const first = await beginAgent(context, { agent: 'ann' });
    context.within(first.scope, () => {
      context.callsAsked('ann', [ASKED]);
      context.keepFor(state);
    });
    await first.end();
    const next = await beginAgent(context, { agent: 'ann', continues: state });
    context.within(next.scope, () => {
      context.callAnswered('c1', () => ({ ...ERROR, isDenied: false }));
    });
    expect(calls).toMatchObject([ERROR]);
    expect(calls[0]).not.toHaveProperty('executed');
    expect(calls[0]).not.toHaveProperty('error.code');
  });

  it('[KIT114] has its outcome read as long as it is open, and is so until it has one', async () => {
    const { scope } = await beginAgent(context, { agent: 'ann' });
    let read = 0;
    const outcomeOf = () => (++read < 3 ? undefined : ERROR);
    context.within(scope, () => {
      context.callAnswered('c1', outcomeOf);
      expect(read).toBe(0);
      context.callsAsked('ann', [ASKED]);
      for (let i = 0; i < 9; i++) context.callAnswered('c1', outcomeOf);
    });
    expect(read).toBe(3);
    expect(calls).toHaveLength(1);
  });

  it('[KIT114] keeps no run that is over', async () => {
    const runOf = async (): Promise<WeakRef<object>> => {
      const { scope, end } = await beginAgent(context, { agent: 'ann' });
      context.within(scope, () => context.callsAsked('ann', [ASKED]));
      await end();
      return new WeakRef(scope.run);
    };
    const run = await runOf();
    const isGone = (): boolean => {
      collect();
      return run.deref() === undefined;
    };
    await expect.poll(isGone, { timeout: 5_000 }).toBe(true);
  });

  it('[KIT115] goes on in no other run', async () => {
    const first = await beginAgent(context, { agent: 'ann' });
    await first.end();
    const next = await beginAgent(context, { agent: 'ann', continues: {} });
    expect(next.scope.run.conversation).not.toBe(first.scope.run.conversation);
  });
});
