import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerEventMap } from '../../src/index.ts';
import { message, modelRequest, usage } from '../support/signals.ts';

function busy(): Breaker {
  const breaker = new Breaker({ budget: { maxUsd: 1 }, maxMessages: 3 });
  const other = breaker.conversation('other');
  breaker.observe(message('writer', 'one'));
  other.observe(message('writer', 'two'));
  const tool = { kind: 'tool-call', at: 0, agent: 'a', tool: 't', args: {} } as const;
  breaker.observe({ ...tool, result: 1 });
  breaker.observe({ ...tool, error: { message: 'down' } });
  const code = { kind: 'execution', at: 0, agent: 'a', language: 'sh', code: 'exit 3' } as const;
  breaker.observe({ ...code, exitCode: 3, output: '' });
  other.observe(usage({ costUsd: 2 }));
  other.admit(modelRequest({ estimatedCostUsd: 0.1 }));
  return breaker;
}

describe('counters', () => {
  const none = { messages: 0, modelCalls: 0, toolCalls: 0, executions: 0, failures: 0 };
  const ofMain = { ...none, messages: 1, toolCalls: 2, executions: 1, failures: 2 };
  const ofOther = { ...none, messages: 1, modelCalls: 1 };

  it('[CNT1] tell what has happened in a conversation and in all of them', () => {
    const breaker = busy();
    expect(breaker.conversation('').counters).toEqual({ ...ofMain, refusals: 0, trips: 0 });
    expect(breaker.conversation('other').counters).toEqual({ ...ofOther, refusals: 1, trips: 1 });
    const all = { ...ofMain, messages: 2, modelCalls: 1, refusals: 1, trips: 1 };
    expect(breaker.counters).toEqual(all);
  });

  it('[CNV10] are beside what happened last in the run and who spoke', () => {
    const breaker = busy();
    const main = breaker.conversation();
    expect(breaker.conversation('other').latest).toEqual({
      failuresInARow: 0,
      lastExitCode: undefined,
      speakers: ['writer'],
    });
    const latest = { failuresInARow: 2, lastExitCode: 3, speakers: ['writer'] };
    expect(main.latest).toEqual(latest);
    const other = new Breaker({ budget: { maxUsd: 1 }, maxMessages: 3 });
    other.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(other.conversation().latest).toEqual(latest);
    main.beginRun();
    main.observe(message('critic', 'three'));
    expect(main.latest).toEqual({
      failuresInARow: 0,
      lastExitCode: undefined,
      speakers: ['writer', 'critic'],
    });
  });

  it('[CNT1] count on after a reset, and live on in a snapshot', () => {
    const breaker = busy();
    const before = breaker.counters;
    breaker.reset();
    expect(breaker.counters).toEqual(before);
    const other = new Breaker();
    other.restore(JSON.parse(JSON.stringify(breaker.snapshot())));
    expect(other.counters).toEqual(before);
    expect(other.conversation('other').counters).toEqual(breaker.conversation('other').counters);
  });

  it('[CNT1] are refused where a snapshot has none, and where they are wrong', () => {
    const { counters, ...snapshot } = busy().snapshot();
    const breaker = new Breaker();
    expect(() => breaker.restore(snapshot)).toThrow(expect.objectContaining({ field: 'counters' }));
    expect(() => breaker.restore({ ...snapshot, counters: { messages: -1 } })).toThrow(
      expect.objectContaining({ field: 'counters.messages' }),
    );
  });

  it('[CNT2] come with the events of spend and of refusals', async () => {
    const breaker = new Breaker({ budget: { maxUsd: 1 } });
    const spends: BreakerEventMap['spend'][] = [];
    const refusals: BreakerEventMap['refusal'][] = [];
    breaker.on('spend', (spend) => spends.push(spend));
    breaker.on('refusal', (refusal) => refusals.push(refusal));
    breaker.observe(usage({ costUsd: 0.25 }));
    await breaker.trackCost(0.5, 'painter');
    expect(spends).toMatchObject([
      { index: 0, agent: 'writer', conversation: '', cost: { nanoUsd: 250_000_000 } },
      { index: 1, agent: 'painter', cost: { nanoUsd: 750_000_000 }, counters: { modelCalls: 1 } },
    ]);
    const request = modelRequest({ estimatedCostUsd: 0.5 });
    breaker.admit(request);
    expect(refusals).toEqual([
      { request, trip: breaker.conversation().trip, counters: breaker.counters, conversation: '' },
    ]);
    expect(breaker.counters).toMatchObject({ refusals: 1, trips: 1 });
  });
});
