import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_DETECTORS } from '../../src/detectors.ts';
import { Breaker, type BreakerOptions, isTripped, type Trip } from '../../src/index.ts';
import type { AdmissionRequest, Permit } from '../../src/kit.ts';
import { CALL } from '../support/calls.ts';
import { message, modelRequest, turn, usage } from '../support/signals.ts';

const MAX = 10;
const USAGE = { prompt_tokens: 5, completion_tokens: 5 };

type StepKind = 'turn' | 'tool-call' | 'execution' | 'model-request';

/** The i-th step of a kind, and what comes of it. */
function step(kind: StepKind, i: number): { request: AdmissionRequest; result: unknown } {
  const by = { agent: 'clerk', at: 0 };
  switch (kind) {
    case 'turn':
      return { request: { kind, ...by }, result: `Row ${i} has ${i * 31} entries.` };
    case 'tool-call':
      return { request: { kind, ...by, tool: 'look', args: { i } }, result: `row ${i}` };
    case 'execution': {
      const result = { exitCode: 0, output: `row ${i}` };
      return { request: { kind, ...by, language: 'sh', code: `cat ${i}` }, result };
    }
    case 'model-request': {
      const request = { kind, ...by, model: 'm', requestId: `${i}` };
      return { request, result: { usage: USAGE } };
    }
  }
}

/** What came of `count` steps that were asked for side by side, each of which takes a moment. */
async function sideBySide(
  breaker: Breaker,
  kind: StepKind,
  count: number,
): Promise<{ readonly ran: number; readonly given: number; readonly trips: readonly Trip[] }> {
  let ran = 0;
  const run = (i: number): Promise<unknown> => {
    const { request, result } = step(kind, i);
    return breaker.run(request, async () => {
      ran++;
      for (let moment = 0; moment < i % 7; moment++) await Promise.resolve();
      return result;
    });
  };
  const ends = await Promise.allSettled(Array.from({ length: count }, (_, i) => run(i)));
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  const trips = refused.map((error) => (isTripped(error) ? error.trip : error));
  return { ran, given: ends.length - refused.length, trips };
}

const LIMITS: readonly (readonly [StepKind, BreakerOptions])[] = [
  ['tool-call', { maxToolCalls: MAX }],
  ['execution', { maxToolCalls: MAX }],
  ['model-request', { maxModelCalls: MAX }],
  ['turn', { maxTurns: MAX }],
  ['turn', { maxMessages: MAX }],
  ['tool-call', { rate: { rates: [{ signal: 'tool-call', max: MAX, perMs: 60_000 }] } }],
  ['execution', { rate: { rates: [{ signal: 'execution', max: MAX, perMs: 60_000 }] } }],
  ['model-request', { rate: { rates: [{ signal: 'usage', max: MAX, perMs: 60_000 }] } }],
  ['turn', { rate: { rates: [{ signal: 'message', max: MAX, perMs: 60_000 }] } }],
];

function breakerOf(options: BreakerOptions): Breaker {
  return new Breaker({ ...NO_DETECTORS, now: () => 0, ...options });
}

describe('a declared limit', () => {
  it.each(LIMITS)(
    '[GATE5] lets 10 of 100 steps run side by side: %s, %j',
    async (kind, options) => {
      const { ran, given, trips } = await sideBySide(breakerOf(options), kind, 100);
      expect([ran, given, trips.length]).toEqual([MAX, MAX, 100 - MAX]);
      const [first] = trips;
      expect(first).toMatchObject({ basis: 'declared', evidence: { limit: MAX } });
      expect(first?.kind).toBe('rate' in options ? 'rate' : 'limit');
    },
  );

  it.each(LIMITS)('[GATE5] lets all run that it allows: %s, %j', async (kind, options) => {
    expect(await sideBySide(breakerOf(options), kind, MAX)).toMatchObject({
      ran: MAX,
      given: MAX,
      trips: [],
    });
  });

  it.each(LIMITS)('[GATE5] holds for what is only asked for: %s, %j', (kind, options) => {
    const breaker = breakerOf(options);
    const answers = Array.from({ length: 100 }, (_, i) => breaker.admit(step(kind, i).request));
    expect(answers.filter((answer) => 'isAdmitted' in answer && answer.isAdmitted)).toHaveLength(
      MAX,
    );
  });

  it('[GATE5] says how many are under way, and opens the circuit once they have ended', async () => {
    const breaker = breakerOf({ maxToolCalls: MAX });
    const opened: number[] = [];
    breaker.on('trip', ({ index }) => opened.push(index));
    const { trips } = await sideBySide(breaker, 'tool-call', 12);
    expect(trips[0]).toMatchObject({
      kind: 'limit',
      reason: 'the limit of 10 tool calls is reached, 10 of them still under way (maxToolCalls)',
      agents: ['clerk'],
    });
    expect(opened).toEqual([MAX - 1]);
    expect(breaker.conversation().trip?.reason).toBe(
      'the limit of 10 tool calls is reached (maxToolCalls)',
    );
  });

  it('[GATE5] counts a step once that is admitted and observed, whether or not it is released', () => {
    const breaker = breakerOf({ maxToolCalls: MAX });
    const seen: string[] = [];
    breaker.on('trip', ({ kind }) => seen.push(kind));
    for (let i = 0; i < MAX; i++) {
      const answer = breaker.admit({ ...CALL, args: { i } });
      if (!('permit' in answer)) return expect.unreachable();
      breaker.observe({ ...CALL, args: { i }, result: `row ${i}` });
      if (i % 2 === 0) answer.permit.release();
      expect(seen).toEqual(i === MAX - 1 ? ['limit'] : []);
    }
  });

  it('[GATE5] counts what is observed without being asked for as ever', () => {
    const breaker = breakerOf({ maxModelCalls: 3 });
    const kinds = [1, 2, 3].map((i) => breaker.observe(usage({ requestId: `${i}` }))?.kind);
    expect(kinds).toEqual([undefined, undefined, 'limit']);
  });

  it.each<[StepKind, BreakerOptions]>([
    ['tool-call', { executionStorm: { maxInARow: 2 } }],
    ['execution', { executionStorm: { maxInARow: 2 } }],
    ['model-request', { historyDrift: { maxTokens: 5 } }],
    ['turn', { speakerCycle: { samePair: { times: 2 } } }],
    ['tool-call', { maxModelCalls: 1, maxMessages: 1, maxRunMs: 1 }],
    ['execution', { limits: { tools: { '*': { maxCalls: 1 } } } }],
  ])('[GATE5] of something else refuses no step side by side: %s, %j', (kind, options) => {
    const breaker = breakerOf({ maxToolCalls: 99, maxTurns: 99, ...options });
    const answers = [1, 2, 3, 4, 5].map((i) => breaker.admit(step(kind, i).request));
    expect(answers.map((answer) => 'isAdmitted' in answer && answer.isAdmitted)).not.toContain(
      false,
    );
  });

  it('[GATE5] does not hold where nothing is stopped', async () => {
    const breaker = breakerOf({ maxToolCalls: MAX, reaction: 'observe' });
    expect(await sideBySide(breaker, 'tool-call', 100)).toMatchObject({ ran: 100, given: 100 });
  });

  it('[GATE5] begins anew with a run, whatever of the last one is under way', () => {
    const breaker = breakerOf({ maxToolCalls: 1 });
    const ask = (): unknown => breaker.admit({ ...CALL, args: {} });
    const late = ask() as { readonly permit: Permit };
    expect(ask()).toMatchObject({ isAdmitted: false });
    breaker.conversation().beginRun();
    expect(ask()).toMatchObject({ isAdmitted: true });
    late.permit.release();
    expect(ask()).toMatchObject({ isAdmitted: false });
  });

  it('[GATE5] of turns leaves those out that a nested chat is in', () => {
    const breaker = breakerOf({ maxTurns: 2, maxMessages: 3 });
    const deep = (depth: number): unknown => breaker.admit({ ...turn('writer'), depth });
    expect([deep(0), deep(1), deep(2)]).toMatchObject([
      { isAdmitted: true },
      { isAdmitted: true },
      { isAdmitted: true },
    ]);
    for (let i = 0; i < 2; i++) breaker.observe({ ...message('critic', `note ${i}`), depth: 1 });
    expect(deep(1)).toMatchObject({ isAdmitted: true });
    expect(deep(1)).toMatchObject({ isAdmitted: false, trip: { kind: 'limit' } });
    expect(deep(0)).toMatchObject({ isAdmitted: false, trip: { kind: 'limit' } });
  });

  it('[GATE5] of run time refuses the first step after it, though no signal came', () => {
    const clock = { now: 0 };
    const breaker = new Breaker({ maxRunMs: 1000, now: () => clock.now });
    breaker.conversation().beginRun(0);
    clock.now = 1000;
    expect(breaker.admit({ kind: 'turn', agent: 'writer' })).toMatchObject({ isAdmitted: true });
    clock.now = 1001;
    expect(breaker.admit({ kind: 'turn', agent: 'writer' })).toMatchObject({
      isAdmitted: false,
      trip: { kind: 'limit', evidence: { subject: 'run time in ms', count: 1001, limit: 1000 } },
    });
  });

  it('[GATE5] of a rate opens the circuit with the step that would exceed it, before it is made', () => {
    const rates = [{ signal: 'tool-call', max: 2, perMs: 1000 }] as const;
    const breaker = breakerOf({ rate: { rates } });
    for (const at of [0, 500]) breaker.observe({ ...CALL, at, args: { at }, result: at });
    expect(breaker.admit({ ...CALL, at: 999, args: {} })).toMatchObject({
      isAdmitted: false,
      trip: { kind: 'rate', reason: 'more than 2 tool calls within 1 s (rate.rates)' },
    });
    expect(breaker.conversation().state.status).toBe('open');
    const later = breakerOf({ rate: { rates } });
    for (const at of [0, 500]) later.observe({ ...CALL, at, args: { at }, result: at });
    expect(later.admit({ ...CALL, at: 1000, args: {} })).toMatchObject({ isAdmitted: true });
  });
});

describe('a step that does not take place', () => {
  it('[GATE6] gives its place back: refused by a listener, or released', () => {
    const breaker = breakerOf({ maxToolCalls: 1 });
    const ask = (): unknown => breaker.admit({ ...CALL, args: {} });
    const first = ask() as { readonly permit: Permit };
    expect(ask()).toMatchObject({ isAdmitted: false });
    first.permit.release();
    first.permit.release();
    const second = ask() as { readonly permit: Permit };
    expect(ask()).toMatchObject({ isAdmitted: false });
    second.permit.release();
    breaker.stop('lunch');
    ask();
    breaker.reset();
    expect(ask()).toMatchObject({ isAdmitted: true });
  });

  it('[GATE6] gives its place back: refused by the budget, or given up during the wait for a store', async () => {
    const refusing = breakerOf({ maxModelCalls: 1, budget: { maxTokens: 10, windowMs: 1 } });
    const call = modelRequest({ requestId: '1', inputTokens: 11 });
    expect(refusing.admit(call)).toMatchObject({ trip: { kind: 'budget' } });
    refusing.reset();
    expect(refusing.admit({ ...call, inputTokens: 1 })).toMatchObject({ isAdmitted: true });

    const waiting = breakerOf({ maxModelCalls: 2, budget: { maxTokens: 10, whenFull: 'wait' } });
    const sized = (requestId: string): AdmissionRequest =>
      modelRequest({ requestId, inputTokens: 8 });
    await waiting.admit(sized('1'));
    const caller = new AbortController();
    const waits = waiting.admit(sized('2'), { signal: caller.signal });
    expect(waiting.admit(sized('3'))).toMatchObject({ trip: { kind: 'limit' } });
    caller.abort(new Error('given up'));
    await expect(waits).rejects.toThrow('given up');
    waiting.observe(usage({ requestId: '1', inputTokens: 1, outputTokens: 1 }));
    expect(waiting.admit(sized('4'))).toMatchObject({ isAdmitted: true });
  });

  it('[GATE6] gives its place back: a model call that says it was not made', async () => {
    const breaker = breakerOf({ maxModelCalls: 1 });
    const refused = Object.assign(new Error('not now'), { code: 'TRIPPED' });
    const call = (result: () => unknown): Promise<unknown> =>
      breaker.run(modelRequest({ requestId: '1' }), result);
    const failing = call(() => {
      throw refused;
    });
    await expect(failing).rejects.toBe(refused);
    expect(await call(() => ({ usage: USAGE }))).toEqual({ usage: USAGE });
    await expect(call(() => 'one too many')).rejects.toThrow(
      'the limit of 1 model call is reached',
    );
  });

  it('[GATE6] keeps its place while it goes on after its caller has given it up', async () => {
    const breaker = breakerOf({ maxToolCalls: 1 });
    const caller = new AbortController();
    let end = (_: string): void => {};
    const work = (): Promise<string> =>
      new Promise((resolve) => {
        end = resolve;
      });
    const run = breaker.run({ ...CALL, args: {} }, work, { signal: caller.signal });
    caller.abort(new Error('given up'));
    await expect(run).rejects.toThrow('given up');
    expect(breaker.admit({ ...CALL, args: {} })).toMatchObject({ isAdmitted: false });
    end('late');
    await Promise.resolve();
    await Promise.resolve();
    expect(breaker.conversation().trip?.kind).toBe('limit');
  });
});

describe('any number of callers', () => {
  type Act = 'ask' | 'make' | 'give up' | 'leave';

  it('[GATE5] never take more places than there are, and none is lost', () => {
    const act = fc.constantFrom<Act>('ask', 'ask', 'make', 'give up', 'leave');
    const acts = fc.array(fc.tuple(act, fc.nat()), { maxLength: 80 });
    fc.assert(
      fc.property(acts, fc.integer({ min: 1, max: 8 }), (moves, max) => {
        const breaker = breakerOf({ maxToolCalls: max });
        const open: Permit[] = [];
        const made: Permit[] = [];
        let count = 0;
        for (const [what, pick] of moves) {
          if (count === max) break;
          if (what === 'ask') {
            const answer = breaker.admit({ ...CALL, args: {} });
            const isFree = count + open.length < max;
            expect(answer).toMatchObject({ isAdmitted: isFree });
            if ('permit' in answer) open.push(answer.permit);
            continue;
          }
          const from = what === 'leave' ? made : open;
          const [permit] = from.splice(pick % Math.max(1, from.length), 1);
          if (permit === undefined) continue;
          if (what === 'make') {
            count++;
            breaker.observe({ ...CALL, args: {}, result: `row ${count}` });
            made.push(permit);
          } else {
            // Those who were observed release before others give up, as all who run steps do.
            for (const one of made.splice(0)) one.release();
            permit.release();
          }
        }
      }),
    );
  });
});
