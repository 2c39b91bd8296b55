import { describe, expect, it } from 'vitest';
import { Breaker, type BreakerOptions, type Signal } from '../../../src/index.ts';
import type { JsonValue } from '../../../src/kit.ts';
import { mainOf, message, usage } from '../../support/signals.ts';

function call(i: number, fields: object = { result: `row ${i}` }): Signal {
  return { kind: 'tool-call', at: i, agent: 'a', tool: 't', args: { i }, ...fields } as Signal;
}

function failing(i: number): Signal {
  return call(i, { error: { message: `error ${i}` } });
}

function run(i: number, exitCode = 0): Signal {
  const code = { language: 'sh', code: `ls ${i}`, output: `file ${i}` };
  return { kind: 'execution', at: i, agent: 'a', exitCode, ...code };
}

/** The subjects and figures of all that a breaker finds which only observes. */
function found(options: BreakerOptions, signals: readonly Signal[]): unknown[] {
  const breaker = new Breaker({ reaction: 'observe', rate: false, ...options });
  const seen: unknown[] = [];
  breaker.on('finding', ({ index, finding: { kind, evidence } }) => {
    if (kind === 'limit') seen.push([index, evidence.subject, evidence.count, evidence.limit]);
  });
  breaker.on('error', ({ error }) => seen.push(error));
  for (const signal of signals) breaker.observe(signal);
  return seen;
}

/** Turns by these speakers, each with something new. */
function talk(speakers: string): Signal[] {
  return [...speakers].map((agent, i) => message(agent, `Row ${i * 31} is in t${i}.`, i));
}

describe('a trip by a limit', () => {
  it('[BRK1] says which limit was reached, by whom, and shows the signal', () => {
    const breaker = new Breaker({ maxMessages: 2 });
    breaker.observe(message('a', 'one'));
    expect(breaker.observe(message('b', 'two'))).toMatchObject({
      reason: 'the limit of 2 messages is reached (maxMessages)',
      agents: ['b'],
      evidence: { indices: [1], count: 2, limit: 2, subject: 'number of messages' },
    });
  });

  it.each<[string, BreakerOptions, Signal[], unknown]>([
    ['LIM2', { maxTurns: 2 }, talk('ab'), [1, 'number of turns', 2, 2]],
    ['LIM7', { maxModelCalls: 1 }, [usage()], [0, 'number of model calls', 1, 1]],
    ['LIM7', { maxToolCalls: 2 }, [run(1), call(2)], [1, 'number of tool calls', 2, 2]],
    ['LIM8', { executionStorm: { maxInARow: 1 } }, [failing(1)], [0, 'failures in a row', 1, 1]],
    [
      'LIM9',
      { speakerCycle: { samePair: { times: 2 } } },
      talk('abab'),
      [3, 'turns of the same pair', 2, 2],
    ],
    [
      'LIM4',
      { stopTexts: [{ text: ' DONE ' }] },
      [message('a', 'DONE')],
      [0, "stop text 'DONE'", 1, 1],
    ],
    ['LIM3', { maxRunMs: 5 }, [call(1), usage({ at: 7 })], [1, 'run time in ms', 6, 5]],
    ['LIM10', { historyDrift: { maxTokens: 9 } }, [usage()], [0, 'tokens of history', 10, 9]],
  ])('[%s] names what %j counted', (_, options, signals, finding) => {
    expect(found(options, signals)).toEqual([finding]);
  });

  it('[LIM12] says which declared poll has waited for longer than allowed, unless excerpts are off', () => {
    const analysis = { tools: { status: { polls: { maxWaitMs: 2000 } } } };
    const ask = (at: number): Signal => ({
      kind: 'tool-call',
      at,
      agent: 'a',
      tool: 'status',
      args: {},
      result: 'pending',
    });
    expect(found({ analysis }, [0, 1000, 2000, 2001].map(ask))).toEqual([
      [3, "ms of waiting for 'status'", 2001, 2000],
    ]);
    expect(found({ analysis, excerpts: false }, [0, 1000, 2000, 2001].map(ask))).toEqual([
      [3, 'ms of waiting for a tool', 2001, 2000],
    ]);
  });

  it('[LIM4] quotes no stop text with excerpts off', () => {
    const options = { stopTexts: [{ text: 'DONE' }], excerpts: false };
    expect(found(options, [message('a', 'DONE')])).toEqual([[0, 'a stop text', 1, 1]]);
  });

  it.each<[string, BreakerOptions, Signal[]]>([
    ['LIM1', { maxMessages: 1 }, talk('a')],
    ['LIM7', { maxModelCalls: 1 }, [usage()]],
    ['LIM7', { maxToolCalls: 1 }, [call(1)]],
    ['LIM8', { executionStorm: { maxInARow: 1 } }, [failing(1)]],
  ])('[%s] tells once of a step that reaches it, whatever follows: %j', (_, options, signals) => {
    const handoff: Signal = { kind: 'handoff', at: 9, agent: 'a', to: 'b' };
    expect(found(options, [...signals, handoff, handoff])).toHaveLength(1);
  });
});

describe('what a limit counts', () => {
  it('[LIM1] is no message that is handed over, called or chosen', () => {
    const others: Signal[] = [
      { kind: 'handoff', at: 0, agent: 'a', to: 'b' },
      { kind: 'selection', at: 0, agent: 'm', chosen: 'a' },
      { kind: 'human-input', at: 0, agent: 'p', text: 'go on' },
      call(0),
      usage(),
    ];
    expect(found({ maxMessages: 1, maxTurns: 1 }, others)).toEqual([]);
  });

  it('[LIM7] is each call and each run on its own', () => {
    const signals = [...talk('ab'), usage(), call(1), run(2)];
    expect(found({ maxModelCalls: 2, maxToolCalls: 3 }, signals)).toEqual([]);
  });

  it('[LIM8] is a run that failed as well as a call, with whatever is said in between', () => {
    const signals = [failing(1), ...talk('a'), run(2, 1), usage(), failing(3)];
    expect(found({ executionStorm: { maxInARow: 3 } }, signals)).toMatchObject([
      [4, 'failures in a row', 3, 3],
    ]);
  });

  it('[LIM8] is a call that was turned away as well, and begins anew with one that works', () => {
    const away = call(2, { error: { message: 'throttled' }, executed: false });
    const signals = [failing(1), call(2), away, failing(3), call(4)];
    expect(found({ executionStorm: { maxInARow: 2 } }, signals)).toEqual([
      [3, 'failures in a row', 2, 2],
    ]);
  });

  it('[LIM8] is no step that was stopped before it ended', () => {
    const givenUp = call(2, { error: { message: 'aborted' }, isGivenUp: true });
    const signals = [failing(1), givenUp, failing(3)];
    expect(found({ executionStorm: { maxInARow: 2 } }, signals)).toMatchObject([
      [2, 'failures in a row', 2, 2],
    ]);
  });

  it('[LIM7] is no model call that was not made', () => {
    const refused = usage({ error: { message: 'not now', code: 'TRIPPED' } });
    expect(found({ maxModelCalls: 1 }, [refused, refused])).toEqual([]);
    const failed = usage({ error: { message: 'not now' } });
    expect(found({ maxModelCalls: 1 }, [failed])).toHaveLength(1);
  });

  it('[LIM9] is the latest pair in its order, in a ring of three as well', () => {
    expect(found({ speakerCycle: { samePair: { times: 3 } } }, talk('abcabcabc'))).toMatchObject([
      [7, 'turns of the same pair', 3, 3],
      [8, 'turns of the same pair', 3, 3],
    ]);
    expect(found({ speakerCycle: { samePair: { times: 3 } } }, talk('abcbabcba'))).toEqual([]);
  });

  it('[LIM9] is no agent that goes on talking', () => {
    expect(found({ speakerCycle: { samePair: { times: 2 } } }, talk('aaaaaa'))).toEqual([]);
    expect(found({ speakerCycle: { samePair: { times: 2 } } }, talk('a'))).toEqual([]);
  });

  it('[LIM9] is the latest pair, whoever spoke first', () => {
    expect(found({ speakerCycle: { samePair: { times: 2 } } }, talk('cdabab'))).toMatchObject([
      [5, 'turns of the same pair', 2, 2],
    ]);
  });

  it('[LIM9] needs no memory of the speakers unless it is declared', () => {
    const speakers = (options: BreakerOptions): JsonValue | undefined => {
      const breaker = new Breaker(options);
      for (const signal of talk('abc')) breaker.observe(signal);
      const { limit } = mainOf(breaker.snapshot()).detectors;
      return (limit as { readonly speakers?: JsonValue }).speakers;
    };
    expect(speakers({})).toEqual([]);
    expect(speakers({ speakerCycle: { samePair: { times: 2, windowTurns: 2 } } })).toEqual([
      'b',
      'c',
    ]);
  });

  it('[LIM9] is looked for within 20 turns unless declared otherwise', () => {
    const apart = (turns: number): Signal[] => talk(`ab${'cdefghijklmnopqrstu'.slice(0, turns)}ab`);
    const times = { times: 2 };
    expect(found({ speakerCycle: { samePair: times } }, apart(16))).toHaveLength(1);
    expect(found({ speakerCycle: { samePair: times } }, apart(17))).toEqual([]);
    expect(
      found({ speakerCycle: { samePair: { ...times, windowTurns: 5 } } }, apart(1)),
    ).toHaveLength(1);
    expect(found({ speakerCycle: { samePair: { ...times, windowTurns: 4 } } }, apart(1))).toEqual(
      [],
    );
  });

  it('[LIM10] is the latest prompt that was reported, not what was said since', () => {
    const long = message('a', 'x'.repeat(4000));
    const options = { historyDrift: { maxTokens: 100 } };
    expect(found(options, [usage({ inputTokens: 100 }), long])).toEqual([]);
    expect(found(options, [usage({ inputTokens: 0 }), long])).toHaveLength(1);
    expect(found(options, [usage({ inputTokens: 101 }), usage({ inputTokens: 0 })])).toHaveLength(
      2,
    );
    expect(found(options, [usage({ inputTokens: 500 }), usage({ inputTokens: 90 })])).toHaveLength(
      1,
    );
  });
});

describe('a stop text', () => {
  it('[LIM4] is heard from anybody unless it says from whom', () => {
    const stopTexts = [{ text: 'STOP', from: ['x', 'y'] }, { text: 'DONE' }];
    const by = (agent: string, text: string): unknown =>
      found({ stopTexts }, [message(agent, text)]);
    expect(by('a', 'STOP')).toEqual([]);
    expect(by('y', 'STOP')).toHaveLength(1);
    expect(by('a', 'DONE')).toHaveLength(1);
    expect(by('a', 'DONE!')).toEqual([]);
  });

  it('[LIM4] stays as it was declared', () => {
    const from = ['critic'];
    const breaker = new Breaker({ stopTexts: [{ text: 'DONE', from }] });
    from.push('writer');
    expect(breaker.observe(message('writer', 'DONE'))).toBeUndefined();
  });
});

describe('the time of a run', () => {
  const clock = { now: 0 };
  const now = (): number => clock.now;

  it('[LIM13] is left as declared, less what has passed since the first signal apart from waits', () => {
    const conversation = new Breaker({ maxRunMs: 1000, now }).conversation('a');
    clock.now = 100;
    conversation.rested(50);
    expect(conversation.remainingMs).toBeUndefined();
    conversation.observe(message('a', 'one', 100));
    expect(conversation.remainingMs).toBe(1000);
    clock.now = 700;
    expect(conversation.remainingMs).toBe(400);
    conversation.observe({ kind: 'human-input', at: 700, agent: 'p', text: 'go', waitedMs: 250 });
    expect(conversation.remainingMs).toBe(650);
    clock.now = 900;
    conversation.rested(150);
    expect(conversation.remainingMs).toBe(600);
    conversation.rested(1e9);
    expect(conversation.remainingMs).toBe(1000);
    expect(() => conversation.rested(-1)).toThrow("'ms'");
    conversation.beginRun();
    expect(conversation.remainingMs).toBeUndefined();
  });

  it('[LIM5] begins when the run did, where that is said', () => {
    const conversation = new Breaker({ maxRunMs: 1000, now }).conversation('a');
    clock.now = 500;
    conversation.beginRun(500);
    clock.now = 700;
    expect(conversation.remainingMs).toBe(800);
    conversation.observe(message('a', 'one', 700));
    expect(conversation.remainingMs).toBe(800);
  });

  it('[LIM13] is not limited unless declared', () => {
    const conversation = new Breaker({ now }).conversation('a');
    conversation.observe(message('a', 'one'));
    clock.now = 1e9;
    expect(conversation.remainingMs).toBeUndefined();
    expect(conversation.checkRunTime()).toBeUndefined();
  });

  it('[LIM13] trips when it is checked and has passed, though no signal comes', () => {
    const conversation = new Breaker({ maxRunMs: 1000, now }).conversation('a');
    clock.now = 5000;
    expect(conversation.checkRunTime()).toBeUndefined();
    conversation.observe(message('a', 'one', 5000));
    clock.now = 5999;
    expect(conversation.checkRunTime()).toBeUndefined();
    clock.now = 6007;
    expect(conversation.checkRunTime()).toMatchObject({
      kind: 'limit',
      reason: 'the run has used up its time limit of 1 s (maxRunMs)',
      at: 6007,
      index: 1,
      agents: [],
      evidence: { indices: [], count: 1007, limit: 1000, subject: 'run time in ms' },
    });
    expect(conversation.state.status).toBe('stopped');
  });

  it('[LIM13] trips when it is checked at the very moment at which it has passed', () => {
    const conversation = new Breaker({ maxRunMs: 1000, now }).conversation('a');
    conversation.observe(message('a', 'one', 0));
    clock.now = 1000;
    expect(conversation.checkRunTime()?.kind).toBe('limit');
  });

  it('[LIM3] takes no wait for longer than what has passed, clocks that go back included', () => {
    const options = { maxRunMs: 1000 };
    const wait = (at: number, waitedMs: number): Signal => {
      return { kind: 'human-input', at, agent: 'p', decision: 'approve', waitedMs };
    };
    expect(found(options, [call(5000), wait(4000, 500), call(6001)])).toHaveLength(1);
    expect(found(options, [call(0), wait(400, 300), wait(900, 100), call(1400)])).toEqual([]);
    expect(found(options, [call(0), wait(400, 300), wait(900, 100), call(1401)])).toHaveLength(1);
  });
});

describe('limits in a snapshot', () => {
  it('[SNP2] go on with all that they have counted', () => {
    const options: BreakerOptions = {
      maxMessages: 4,
      maxModelCalls: 3,
      maxToolCalls: 4,
      executionStorm: { maxInARow: 3 },
      speakerCycle: { samePair: { times: 2 } },
      historyDrift: { maxTokens: 999 },
      maxRunMs: 50,
    };
    const signals: Signal[] = [...talk('abc'), failing(10), failing(11), usage(), usage()];
    const rest: Signal[] = [...talk('a'), failing(12), usage(), call(60)];
    const first = new Breaker({ ...options, reaction: 'observe' });
    for (const signal of signals) first.observe(signal);
    const second = new Breaker({ ...options, reaction: 'observe' });
    second.restore(JSON.parse(JSON.stringify(first.snapshot())));
    const reasons: string[] = [];
    second.on('finding', ({ finding }) => reasons.push(finding.reason));
    for (const signal of rest) second.observe(signal);
    expect(reasons).toEqual([
      'the limit of 4 messages is reached (maxMessages)',
      'tool calls or code runs failed three times in a row (executionStorm.maxInARow)',
      'the limit of 3 model calls is reached (maxModelCalls)',
      'the run has used up its time limit of 50 ms (maxRunMs)',
    ]);
  });
});
