import { describe, expect, it } from 'vitest';
import * as kit from '../../src/index.ts';
import { callModel, callTool, runCode, takeTurn } from '../support/steps.ts';
import { setUp, VERBS } from './verbs.ts';

describe('a step', () => {
  it.each(VERBS)('[KIT45] of %s is asked for as %j', async (_, request, verb) => {
    const { breaker, context, inside } = setUp();
    const asked: object[] = [];
    breaker.on('refusal', (refusal) => asked.push(refusal.request));
    breaker.stop('enough');
    let hasBegun = false;
    const work = async () => {
      hasBegun = true;
      return '';
    };
    await expect(verb(context, work)).rejects.toThrow('enough');
    await expect(inside(() => verb(context, work))).rejects.toThrow('enough');
    expect(asked[0]).toMatchObject(request);
    expect(hasBegun).toBe(false);
  });

  it.each(VERBS)('[KIT46] of %s is the work alone once it is uninstalled', async (...row) => {
    const [, , verb] = row;
    const { breaker, context, signals } = setUp();
    breaker.stop('enough');
    context.close();
    const { signal } = new AbortController();
    let given: AbortSignal | undefined;
    const work = async (received?: AbortSignal) => {
      given = received;
      return 'done';
    };
    expect(await verb(context, work, signal)).toBe('done');
    expect(given === undefined || given === signal).toBe(true);
    expect(signals).toEqual([]);
  });

  it('[KIT46] of a run, or of a person who is asked, is the work alone once it is uninstalled', async () => {
    const { breaker, context, signals } = setUp();
    breaker.stop('enough');
    context.close();
    const work = async () => 'done';
    const team = { name: 'crew', task: 'Go', work, stopped: () => 'stopped' };
    expect(await kit.runTeam(context, team)).toBe('done');
    expect(await kit.askPerson(context, { agent: 'ann', work })).toBe('done');
    expect(signals).toEqual([]);
  });
});

describe('a turn', () => {
  it.each([
    ['there', 'there'],
    [undefined, 'around'],
  ])('[KIT13] has the part %s of its place, or else the one around', async (local, expected) => {
    const { context, inside } = setUp();
    const work = async () => String(context.scope?.local);
    const turn = { agent: 'ann', work, said: () => undefined, rehearsed: '' };
    expect(
      await inside(() => takeTurn(context, { ...turn, ...(local !== undefined && { local }) })),
    ).toBe(expected);
    expect(context.scope).toBeUndefined();
  });

  it('[KIT45] reports what was said, and nothing where that is reported as something else', async () => {
    const { context, signals, problems } = setUp();
    const turn = { agent: 'ann', work: async () => 'hello', rehearsed: '' };
    await takeTurn(context, { ...turn, said: () => undefined });
    await takeTurn(context, { ...turn, said: (text) => text });
    expect(signals).toEqual([{ kind: 'message', at: 1_000, agent: 'ann', text: 'hello' }]);
    expect(problems).toEqual([]);
  });
});

describe('a model call', () => {
  it.each([
    [true, 0],
    [false, 5e-9],
  ])('[KIT8] of an answer out of a cache (%s) costs %d dollars', async (cached, costUsd) => {
    const { context, signals } = setUp({ prices: { price: () => ({ nanoUsd: 5 }) } });
    const usageOf = () => ({ inputTokens: 3, outputTokens: 2 });
    const work = async () => 'hi';
    const call = { agent: 'ann', model: 'm', work, usageOf, isCached: () => cached };
    await callModel(context, call);
    expect(signals[1]).toMatchObject({ kind: 'usage', costUsd, inputTokens: 3 });
  });
});

describe('a tool call', () => {
  it('[KIT45] is reported with its id, if it has one, and how long it took', async () => {
    const { context, signals, taking } = setUp();
    const call = { agent: 'ann', tool: 'look', args: {}, work: taking('blue') };
    await callTool(context, { ...call, callId: 'call-1' });
    await callTool(context, call);
    expect(signals[0]).toMatchObject({ callId: 'call-1', durationMs: 7, result: 'blue' });
    expect(signals[1]).toMatchObject({ durationMs: 7, result: 'blue' });
    expect(signals[1]).not.toHaveProperty('callId');
  });

  // A framework may tell an agent of an error as the result of the call.
  const outcomeOf = (value: string) => kit.textOutcome(value, { isError: value === 'aborted' });
  const told = { agent: 'ann', tool: 'look', args: {}, outcomeOf };

  it('[KIT142] is not reported where its error comes as a result after the caller has cancelled it', async () => {
    const { context, signals, problems } = setUp();
    const controller = new AbortController();
    const work = async () => {
      controller.abort();
      return 'aborted';
    };
    expect(await callTool(context, { ...told, work, signal: controller.signal })).toBe('aborted');
    expect([signals, problems]).toEqual([[], []]);
  });

  it('[KIT142] is reported where it has failed or has a result', async () => {
    const { context, signals } = setUp();
    const controller = new AbortController();
    const { signal } = controller;
    await callTool(context, { ...told, work: async () => 'aborted', signal });
    const work = async () => {
      controller.abort();
      return 'blue';
    };
    await callTool(context, { ...told, work, signal });
    expect(signals).toMatchObject([{ error: { message: 'aborted' } }, { result: 'blue' }]);
  });

  it('[KIT143] is reported once it has ended, and not where it waits for a person', async () => {
    const { context, signals } = setUp();
    const isPause = (error: unknown): boolean => error === 'asks';
    const call = { ...told, isPause };
    const asks = callTool(context, { ...call, work: () => Promise.reject('asks') });
    await expect(asks).rejects.toBe('asks');
    const fails = callTool(context, { ...call, work: () => Promise.reject('fog') });
    await expect(fails).rejects.toBe('fog');
    await callTool(context, { ...call, work: async () => 'blue' });
    expect(signals).toMatchObject([{ error: { message: 'fog' } }, { result: 'blue' }]);
  });
});

describe('a run of code', () => {
  const code = { agent: 'ann', block: { language: 'sh', code: 'ls' } };
  const resultOf = (output: string) => ({ exitCode: 0, output });

  it('[KIT45] is reported with how long it took', async () => {
    const { context, signals, taking } = setUp();
    await runCode(context, { ...code, work: taking('a.txt'), resultOf });
    expect(signals).toMatchObject([{ exitCode: 0, output: 'a.txt', durationMs: 7 }]);
  });

  it.each([
    [new Error('no such container'), 'no such container'],
    ['out of order', 'out of order'],
  ])('[KIT27] has no exit code if the executor itself fails', async (error, output) => {
    const { context, signals } = setUp();
    const work = () => Promise.reject(error);
    await expect(runCode(context, { ...code, work, resultOf })).rejects.toBe(error);
    expect(signals).toMatchObject([{ exitCode: null, output }]);
  });

  it('[KIT27] is not reported if it gives a result after the caller has cancelled it', async () => {
    const { context, signals, problems } = setUp();
    const controller = new AbortController();
    const work = async () => {
      controller.abort();
      return 'half';
    };
    const { signal } = controller;
    expect(await runCode(context, { ...code, work, signal, resultOf })).toBe('half');
    expect([signals, problems]).toEqual([[], []]);
  });

  it('[KIT27] is not reported if the executor says so', async () => {
    const { context, signals, problems } = setUp();
    const cancelled = { exitCode: 125, output: 'Cancelled' };
    await runCode(context, { ...code, work: async () => '', resultOf: () => cancelled });
    expect([signals, problems]).toEqual([[], []]);
  });
});

describe('a person', () => {
  it('[KIT18] answers outside of any run, too, and is reported with how long it took', async () => {
    const { context, signals, taking } = setUp();
    expect(await kit.askPerson(context, { agent: 'ann', work: taking('yes') })).toBe('yes');
    expect(signals).toMatchObject([{ kind: 'human-input', text: 'yes', waitedMs: 7 }]);
  });

  it('[KIT18] is not reported where nobody is named', async () => {
    const { context, signals, problems, inside, taking } = setUp();
    expect(await inside(() => kit.askPerson(context, { work: taking('yes') }))).toBe('yes');
    expect([signals, problems]).toEqual([[], []]);
  });
});
