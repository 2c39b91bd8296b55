import { Breaker, type Signal, type Trip, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import {
  beginRun,
  GuardContext,
  guardExecute,
  KeyedRuns,
  runAgent,
  runWork,
} from '../../src/index.ts';
import { beginTool, callTool } from '../support/steps.ts';

function watched() {
  const breaker = new Breaker();
  const told: (readonly [conversation: string, signal: Signal])[] = [];
  breaker.on('signal', ({ conversation, signal }) => told.push([conversation, signal]));
  const context = new GuardContext<string>(breaker, { judge: false });
  const work = (agent: string, inside: () => Promise<unknown>): Promise<unknown> =>
    runAgent<unknown, string>(context, { agent, work: inside, textOf: String, rehearsed: '' });
  return { breaker, context, told, work };
}

const say = async (): Promise<string> => 'said';

describe('the work of an agent', () => {
  it('[KIT97] is a run of its own, nested work in a tool, or a turn of the run around it', async () => {
    const { context, told, work } = watched();
    const asks = () =>
      callTool(context, { agent: 'outer', tool: 'ask', args: {}, work: () => work('inner', say) });
    await work('outer', asks);
    const nested = told.filter(([, { kind }]) => kind.startsWith('nested'));
    expect(nested.map(([, { agent }]) => agent)).toEqual(['outer', 'inner']);
    expect(nested[0]?.[1]).toMatchObject({ trigger: 'tool:ask', path: ['outer', 'inner'] });
    told.length = 0;
    await runWork(context, { name: 'run', task: 'Go.', work: () => work('outer', say) });
    expect(told.map(([, { kind }]) => kind)).toEqual(['human-input']);
    const places: (readonly string[] | undefined)[] = [];
    const noted = async (): Promise<void> => void places.push(context.scope?.path);
    await Promise.all([work('one', noted), work('two', noted)]);
    expect(places).toEqual([['one'], ['two']]);
  });

  it('[KIT97] has a conversation of its own, unless one is named', async () => {
    const ids = async (options: { conversation?: string }): Promise<readonly unknown[]> => {
      const context = new GuardContext<string>(new Breaker(), { judge: false, ...options });
      const id = async (): Promise<unknown> => context.conversation.id;
      const info = { agent: 'one', work: id, textOf: String, rehearsed: '' };
      return [await runAgent(context, info), await runAgent(context, info)];
    };
    expect(new Set(await ids({})).size).toBe(2);
    expect(await ids({ conversation: 'ann' })).toEqual(['ann', 'ann']);
  });
});

describe('work whose end is told elsewhere', () => {
  it('[KIT110] is a run that continues the conversation that it names', async () => {
    const { context } = watched();
    const begin = () => beginRun(context, { agent: 'one', conversation: 'ann' });
    const [first, second] = [await begin(), await begin()];
    expect(first.scope.run.conversation.id).toBe('ann');
    expect(second.scope.run.conversation.id).not.toBe('ann');
    await first.end();
    expect((await begin()).scope.run.conversation.id).toBe('ann');
  });

  it('[KIT111] is a call of a tool, reported unless it was cut off or goes on', async () => {
    const { breaker, context, told } = watched();
    const begin = () => beginTool(context, { agent: 'one', tool: 'look', args: { at: 'sky' } });
    const [seen, waiting, late] = [await begin(), await begin(), await begin()];
    seen.end({ value: 'blue' });
    waiting.end(undefined);
    breaker.stop('enough');
    await expect(begin()).rejects.toThrow('enough');
    late.end({ error: new TrippedError(breaker.stopped[0]?.trip as Trip) });
    const calls = told.filter(([, { kind }]) => kind === 'tool-call');
    expect(calls).toMatchObject([['', { agent: 'one', tool: 'look', result: 'blue' }]]);
  });
});

describe('runs that are known by a key', () => {
  it('[KIT98] have a conversation each, which is forgotten with its end', () => {
    const { breaker, context } = watched();
    const runs = new KeyedRuns(context, () => 'local');
    const [first, second] = [runs.of('a', 'bot'), runs.of({}, 'bot')];
    expect(runs.of('a', 'bot')).toBe(first);
    expect(first.run.conversation.id).not.toBe(second.run.conversation.id);
    runs.asked('a', ['call-1']);
    expect(runs.ofCall('call-1')).toBe(first);
    runs.end('a');
    expect(runs.ofCall('call-1')).toBeUndefined();
    expect(runs.of('a', 'bot')).not.toBe(first);
    const known = breaker.conversation(first.run.conversation.id);
    expect(known).not.toBe(first.run.conversation);
  });
});

describe('the function of a tool', () => {
  it('[KIT99] hands outputs on as they come, and reports the last one', async () => {
    const { context, told } = watched();
    async function* count(to: number): AsyncGenerator<number> {
      for (let at = 1; at <= to; at++) yield at;
    }
    const placeOf = (work: () => unknown) => ({ agent: 'bot', tool: 'count', args: {}, work });
    const guarded = guardExecute(context, count, (to) => placeOf(() => count(to)));
    const outputs: unknown[] = [];
    for await (const output of guarded(3) as AsyncIterable<unknown>) outputs.push(output);
    expect(outputs).toEqual([1, 2, 3]);
    const whole = guardExecute(
      context,
      (to: number) => count(to),
      (to) => placeOf(() => count(to)),
    );
    expect(await whole(2)).toBe(2);
    const results = told.map(([, signal]) => signal.kind === 'tool-call' && signal.result);
    expect(results).toEqual([3, 2]);
  });
});
