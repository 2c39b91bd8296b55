import { describe, expect, it } from 'vitest';
import {
  Breaker,
  type BreakerOptions,
  InvalidOptionError,
  type Signal,
} from '../../../src/index.ts';
import { message, usage } from '../../support/signals.ts';

describe('limits', () => {
  it('[LIM1] trips with the message that reaches maxMessages', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    expect(breaker.observe(message('a', 'one'))).toBeUndefined();
    expect(breaker.observe({ ...message('b', 'two'), depth: 1 })).toMatchObject({
      kind: 'limit',
      evidence: { count: 2, limit: 2 },
    });
  });

  it('[LIM2] counts only messages of the outermost conversation as turns', () => {
    const breaker = new Breaker({ maxTurns: 2 });
    breaker.observe(message('a', 'one'));
    expect(breaker.observe({ ...message('b', 'inner'), depth: 1 })).toBeUndefined();
    expect(breaker.observe(message('b', 'two'))?.kind).toBe('limit');
  });

  it('[LIM3] trips at the first signal after maxRunMs', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe(message('a', 'one', 500));
    expect(breaker.observe(message('b', 'two', 1500))).toBeUndefined();
    expect(breaker.observe(message('a', 'three', 1501))?.kind).toBe('limit');
  });

  it('[LIM3] does not count the time a person was waited for', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe(message('a', 'one', 0));
    breaker.observe({ kind: 'human-input', at: 9000, agent: 'p', text: 'go on', waitedMs: 8500 });
    expect(breaker.observe(message('a', 'two', 9500))).toBeUndefined();
  });

  it('[LIM3] does not take a wait off that began before the run', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe({ kind: 'human-input', at: 9000, agent: 'p', text: 'start', waitedMs: 8500 });
    expect(breaker.observe(message('a', 'one', 10_001))?.kind).toBe('limit');
  });

  it('[LIM3] takes two waits at the same time for one', () => {
    const breaker = new Breaker({ maxRunMs: 1000 });
    breaker.observe(message('a', 'one', 0));
    for (const agent of ['p', 'q']) {
      breaker.observe({ kind: 'human-input', at: 5000, agent, text: 'go on', waitedMs: 5000 });
    }
    expect(breaker.observe(message('a', 'two', 6001))?.kind).toBe('limit');
  });

  it('[LIM4] trips on a message that is exactly a stop text, by one of those it is heard from', () => {
    const stopTexts = [{ text: 'DONE', from: ['critic'] }];
    const breaker = new Breaker({ stopTexts });
    expect(breaker.observe(message('writer', 'DONE'))).toBeUndefined();
    expect(breaker.observe(message('critic', 'Say DONE when ready'))).toBeUndefined();
    expect(breaker.observe(message('critic', ' DONE\n'))?.kind).toBe('limit');
  });

  it('[LIM5] starts afresh with a new run, while the rest of the breaker goes on', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    breaker.observe(message('a', 'one'));
    breaker.conversation().beginRun();
    expect(breaker.observe(message('a', 'two'))).toBeUndefined();
  });

  const call = (i: number, isFailing = false): Signal => ({
    kind: 'tool-call',
    at: i,
    agent: 'a',
    tool: 't',
    args: { i },
    ...(isFailing ? { error: { message: `error ${i}` } } : { result: `row ${i}` }),
  });

  it('[LIM7] trips with the model call or the tool call that reaches its limit, code runs included', () => {
    const models = new Breaker({ maxModelCalls: 2 });
    expect(models.observe(usage())).toBeUndefined();
    expect(models.observe(usage())?.evidence).toMatchObject({ count: 2, limit: 2 });
    const tools = new Breaker({ maxToolCalls: 2 });
    expect(tools.observe(call(1))).toBeUndefined();
    const run = { kind: 'execution', at: 2, agent: 'a', language: 'sh', code: 'ls', exitCode: 0 };
    expect(tools.observe({ ...run, output: 'x' } as Signal)?.kind).toBe('limit');
  });

  it('[LIM8] trips at so many failures in a row, whatever the errors', () => {
    const breaker = new Breaker({ executionStorm: { maxInARow: 3 }, rate: false });
    for (const isFailing of [true, true, false, true, true]) {
      expect(breaker.observe(call(7, isFailing))).toBeUndefined();
    }
    expect(breaker.observe(call(8, true))?.evidence.subject).toBe('failures in a row');
  });

  it('[LIM9] trips when the same pair speaks so many times within the window, whatever it says', () => {
    const talk = (options: BreakerOptions): number => {
      const breaker = new Breaker(options);
      let step = 0;
      for (; breaker.conversation().trip === undefined && step < 30; step++) {
        breaker.observe(message('ab'.charAt(step % 2), `Row ${step * 31} is in t${step}.`));
      }
      return step;
    };
    expect(talk({ speakerCycle: { samePair: { times: 3 } } })).toBe(6);
    expect(talk({ speakerCycle: { samePair: { times: 3, windowTurns: 4 } } })).toBe(30);
  });

  it('[LIM10] trips beyond so many tokens of history, as reported or else estimated', () => {
    const reported = new Breaker({ historyDrift: { maxTokens: 100 } });
    expect(reported.observe(usage({ inputTokens: 100 }))).toBeUndefined();
    expect(reported.observe(usage({ inputTokens: 101 }))?.kind).toBe('limit');
    const estimated = new Breaker({ historyDrift: { maxTokens: 100 } });
    expect(estimated.observe(message('a', 'x'.repeat(400)))).toBeUndefined();
    expect(estimated.observe(message('a', 'y'))?.kind).toBe('limit');
  });

  const bad: readonly (readonly [BreakerOptions, string])[] = [
    [{ maxMessages: 0 }, 'maxMessages'],
    [{ maxTurns: 2.5 }, 'maxTurns'],
    [{ maxRunMs: 0 }, 'maxRunMs'],
    [{ maxModelCalls: 0 }, 'maxModelCalls'],
    [{ maxToolCalls: -1 }, 'maxToolCalls'],
    [{ executionStorm: { maxInARow: 0 } }, 'executionStorm.maxInARow'],
    [{ speakerCycle: { samePair: { times: 1 } } }, 'speakerCycle.samePair.times'],
    [{ speakerCycle: { samePair: { times: 10_001 } } }, 'speakerCycle.samePair.times'],
    [
      { speakerCycle: { samePair: { times: 2, windowTurns: 1 } } },
      'speakerCycle.samePair.windowTurns',
    ],
    [
      { speakerCycle: { samePair: { times: 2, windowTurns: 10_001 } } },
      'speakerCycle.samePair.windowTurns',
    ],
    [{ historyDrift: { maxTokens: 0 } }, 'historyDrift.maxTokens'],
    [{ stopTexts: [{ text: 7 as unknown as string }] }, 'stopTexts.text'],
    [{ stopTexts: [{ text: ' ' }] }, 'stopTexts'],
    [{ stopTexts: 7 as never }, 'stopTexts'],
    [{ executionStorm: 7 as never }, 'executionStorm'],
    [{ historyDrift: 7 as never }, 'historyDrift'],
    [{ speakerCycle: 7 as never }, 'speakerCycle'],
    [{ stopTexts: ['DONE' as unknown as { text: string }] }, 'stopTexts'],
  ];
  it('[LIM6] takes the smallest limits there are', () => {
    const smallest: BreakerOptions = {
      maxMessages: 1,
      maxTurns: 1,
      maxRunMs: 1,
      maxModelCalls: 1,
      maxToolCalls: 1,
      executionStorm: { maxInARow: 1 },
      speakerCycle: { samePair: { times: 2, windowTurns: 2 } },
      historyDrift: { maxTokens: 1 },
    };
    expect(() => new Breaker(smallest)).not.toThrow();
  });

  it('[LIM6] says what a stop text has to be', () => {
    expect(() => new Breaker({ stopTexts: [{ text: ' ' }] })).toThrow(
      'option \'stopTexts\': expected texts that are not blank, received " "',
    );
    expect(() => new Breaker({ stopTexts: ['DONE' as never] })).toThrow(
      "expected an array such as [{ text: 'DONE' }]",
    );
  });

  it.each(bad)('[LIM6] refuses %j and names the option', (options, option) => {
    expect(() => new Breaker(options)).toThrow(
      expect.objectContaining({ name: InvalidOptionError.name, option }),
    );
  });
});
