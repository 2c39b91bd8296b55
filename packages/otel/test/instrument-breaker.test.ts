import { Breaker, type BreakerOptions } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { type InstrumentOptions, instrumentBreaker } from '../src/index.ts';
import { Collecting } from './support/collecting.ts';

const now = (): number => 0;
const call = { kind: 'tool-call', agent: 'clerk', tool: 'find', args: {} } as const;

/** A breaker whose happenings are collected. */
function collected(options: BreakerOptions, more: InstrumentOptions = {}) {
  const sdk = new Collecting();
  const { meterProvider, tracerProvider } = sdk;
  const breaker = new Breaker({ now, judge: false, ...options });
  const stop = instrumentBreaker(breaker, { meterProvider, tracerProvider, ...more });
  return { sdk, breaker, stop };
}

describe('what is measured', () => {
  it('[OTL1] counts signals by kind', async () => {
    const { sdk, breaker } = collected({});
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    breaker.observe({ kind: 'message', agent: 'bob', text: 'Good day to you.' });
    breaker.observe({ ...call, result: 'nothing' });
    expect(await sdk.valuesOf('teamfuse.signals')).toEqual({
      '{"teamfuse.signal":"message"}': 2,
      '{"teamfuse.signal":"tool-call"}': 1,
    });
    expect(await sdk.valuesOf('teamfuse.suspicion')).toEqual({ '{}': 3 });
  });

  it('[OTL1] counts findings and trips by kind, and refusals by the step', async () => {
    const { sdk, breaker } = collected({ maxMessages: 1 });
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    breaker.admit(call);
    breaker.admit(call);
    expect(await sdk.valuesOf('teamfuse.findings')).toEqual({
      '{"teamfuse.kind":"limit","teamfuse.level":"trip","teamfuse.effect":"stop"}': 1,
    });
    expect(await sdk.valuesOf('teamfuse.trips')).toEqual({
      '{"teamfuse.kind":"limit","teamfuse.basis":"declared"}': 1,
    });
    expect(await sdk.valuesOf('teamfuse.refusals')).toEqual({
      '{"teamfuse.kind":"limit","teamfuse.signal":"tool-call"}': 2,
    });
  });

  it('[OTL1] counts failures beside the run', async () => {
    const { sdk, breaker } = collected({});
    breaker.on('signal', () => {
      throw new Error('no disk');
    });
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    expect(await sdk.valuesOf('teamfuse.errors')).toEqual({ '{"teamfuse.during":"signal"}': 1 });
  });

  it('[OTL2] reads money, tokens and open circuits when they are collected', async () => {
    const { sdk, breaker } = collected({ budget: { maxTokens: 200 } });
    const usage = { kind: 'usage', agent: 'ann', outputTokens: 10 } as const;
    breaker.observe({ ...usage, model: 'gpt-4o', inputTokens: 100, costUsd: 0.75 });
    breaker.observe({ ...usage, model: 'my-own-model', inputTokens: 20 });
    expect(await sdk.valuesOf('teamfuse.spend')).toEqual({ '{}': 0.75 });
    expect(await sdk.valuesOf('teamfuse.tokens')).toEqual({ '{}': 140 });
    expect(await sdk.valuesOf('teamfuse.tokens.unpriced')).toEqual({ '{}': 30 });
    expect(await sdk.valuesOf('teamfuse.circuits.open')).toEqual({ '{}': 0 });
    breaker.observe({ ...usage, model: 'gpt-4o', inputTokens: 100, costUsd: 2 });
    expect(await sdk.valuesOf('teamfuse.spend')).toEqual({ '{}': 2.75 });
    expect(await sdk.valuesOf('teamfuse.circuits.open')).toEqual({ '{}': 1 });
    breaker.raise({ maxTokens: 500 });
    expect(await sdk.valuesOf('teamfuse.circuits.open')).toEqual({ '{}': 0 });
  });

  it('[OTL10] reads what is reserved for calls under way, of a tenant its own', async () => {
    const { sdk, breaker } = collected({ budget: { maxUsd: 9, perUser: { maxTokens: 900 } } });
    const ofAnn = new Collecting();
    instrumentBreaker(breaker.for({ user: 'ann' }), ofAnn);
    const ask = { kind: 'model-request', agent: 'clerk', model: 'm', maxOutputTokens: 10 } as const;
    const calls = [breaker, breaker.for({ user: 'ann' })].map((of) =>
      of.admit({ ...ask, inputTokens: 90, estimatedCostUsd: 0.5 }),
    );
    expect(await sdk.valuesOf('teamfuse.reserved')).toEqual({ '{}': 1 });
    expect(await sdk.valuesOf('teamfuse.tokens.reserved')).toEqual({ '{}': 200 });
    expect(await ofAnn.valuesOf('teamfuse.reserved')).toEqual({ '{}': 0.5 });
    for (const call of await Promise.all(calls)) if (call.isAdmitted) call.permit.release();
    for (const of of [breaker, breaker.for({ user: 'ann' })]) {
      of.observe({ kind: 'usage', agent: 'clerk', model: 'm', inputTokens: 90, outputTokens: 1 });
    }
    expect(await sdk.valuesOf('teamfuse.reserved')).toEqual({ '{}': 0 });
    expect(await ofAnn.valuesOf('teamfuse.tokens.reserved')).toEqual({ '{}': 0 });
  });

  it('[OTL11] counts as saved what a loop had cost until it was stopped', async () => {
    const { sdk, breaker } = collected({});
    const usage = {
      kind: 'usage',
      agent: 'clerk',
      model: 'm',
      inputTokens: 9,
      outputTokens: 1,
    } as const;
    for (let n = 0; n < 20 && breaker.stopped.length === 0; n++) {
      breaker.observe({ ...usage, costUsd: 0.25 });
      breaker.observe({ ...call, result: 'nothing' });
    }
    const [trip] = breaker.stopped.map(({ trip }) => trip);
    const cost = (trip?.evidence.cost.nanoUsd ?? 0) / 1e9;
    expect(cost).toBeGreaterThan(0.25);
    const kinds = { 'teamfuse.kind': trip?.kind, 'teamfuse.basis': trip?.basis };
    expect(await sdk.valuesOf('teamfuse.saved')).toEqual({ [JSON.stringify(kinds)]: cost });
  });

  it('[OTL11] counts nothing as saved by a budget, a limit and a stop by hand', async () => {
    const { sdk, breaker } = collected({ budget: { maxUsd: 1 } });
    const usage = {
      kind: 'usage',
      agent: 'clerk',
      model: 'm',
      inputTokens: 9,
      outputTokens: 1,
    } as const;
    breaker.observe({ ...usage, costUsd: 2 });
    breaker.conversation('other').stop('enough');
    expect(breaker.stopped).toHaveLength(2);
    expect(await sdk.valuesOf('teamfuse.saved')).toEqual({});
  });

  it('[OTL2] tells what the answers of a judge were, and cost', async () => {
    const sdk = new Collecting();
    const breaker = new Breaker({
      now,
      judge: {
        confirm: () => ({
          probability: 0.9,
          reason: 'The same again.',
          usage: { model: 'gpt-4o', inputTokens: 10, outputTokens: 1, costUsd: 0.5 },
        }),
      },
    });
    instrumentBreaker(breaker, sdk);
    for (let n = 0; n < 40 && breaker.stopped.length === 0; n++) {
      breaker.observe({
        kind: 'message',
        agent: n % 2 ? 'ann' : 'bob',
        text: 'Thank you so much.',
      });
      await breaker.admit({ kind: 'turn', agent: 'ann' });
    }
    const answers = sdk.spans.filter(({ name }) => name === 'gen_ai.evaluation.result');
    expect(answers.length).toBeGreaterThan(0);
    expect(answers[0]?.attributes).toEqual({
      'gen_ai.evaluation.name': 'teamfuse.judge',
      'gen_ai.evaluation.score.value': 0.9,
      'gen_ai.evaluation.explanation': 'The same again.',
      'gen_ai.conversation.id': '',
    });
    expect(await sdk.valuesOf('teamfuse.judge.probability')).toEqual({ '{}': answers.length });
    expect(await sdk.valuesOf('teamfuse.judge.spend')).toEqual({ '{}': 0.5 * answers.length });
  });

  it('[OTL3] has attributes of the user, and none of what was said', async () => {
    const { sdk, breaker } = collected({}, { attributes: { 'team.name': 'research' } });
    breaker.conversation('chat 1').observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    for (const name of ['teamfuse.signals', 'teamfuse.suspicion', 'teamfuse.spend']) {
      const [attributes = ''] = Object.keys(await sdk.valuesOf(name));
      expect(attributes).toContain('"team.name":"research"');
      expect(attributes).not.toMatch(/chat 1|ann|Hello/);
    }
  });
});

describe('what happens', () => {
  it('[OTL4] is an event of the active span', () => {
    const { sdk, breaker } = collected({});
    sdk.within(() => {
      breaker.conversation('chat 1').stop('enough');
      breaker.conversation('chat 1').admit(call);
    });
    const about = {
      'teamfuse.kind': 'manual',
      'teamfuse.basis': 'declared',
      'teamfuse.reason': 'enough',
      'gen_ai.conversation.id': 'chat 1',
    };
    expect(sdk.spans).toEqual([
      {
        name: 'work',
        attributes: {},
        events: [
          { name: 'teamfuse.trip', attributes: about },
          {
            name: 'teamfuse.refusal',
            attributes: { ...about, 'teamfuse.signal': 'tool-call', 'gen_ai.agent.name': 'clerk' },
          },
        ],
      },
    ]);
  });

  it('[OTL4] is a span of its own where none is active', () => {
    const { sdk, breaker } = collected({}, { attributes: { 'team.name': 'research' } });
    breaker.stop('enough');
    expect(sdk.spans.map(({ name }) => name)).toEqual(['teamfuse.trip']);
    expect(sdk.spans[0]?.attributes).toMatchObject({
      'teamfuse.reason': 'enough',
      'team.name': 'research',
    });
  });

  it('[OTL4] names the purse that is exhausted', () => {
    const { sdk, breaker } = collected({ budget: { agents: { ann: { maxUsd: 1 } } } });
    breaker.trackCost(2, 'ann');
    expect(sdk.spans[0]?.attributes).toMatchObject({ 'teamfuse.purse': 'agent:ann' });
  });

  it('[OTL5] quotes nothing of a breaker without excerpts', () => {
    const { sdk, breaker } = collected({ excerpts: false });
    for (let n = 0; n < 20; n++) breaker.observe({ ...call, tool: 'hush', result: 'silence' });
    expect(sdk.spans.map(({ name }) => name)).toContain('teamfuse.trip');
    expect(JSON.stringify(sdk.spans)).not.toMatch(/hush|silence/);
  });
});

describe('a secret', () => {
  const SECRET = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8';

  it('[OTL5] is not told with the reason of a trip', () => {
    const { sdk, breaker } = collected({});
    const error = { message: `no access for ${SECRET} here` };
    for (let n = 0; n < 20; n++) breaker.observe({ ...call, args: { n }, error });
    const [trip] = sdk.spans.filter(({ name }) => name === 'teamfuse.trip');
    expect(trip?.attributes?.['teamfuse.reason']).toContain('no access for');
    expect(JSON.stringify(sdk.spans)).not.toContain(SECRET);
  });

  it('[OTL5] is not told with the answer of a judge', async () => {
    const reason = `They send ${SECRET} again.`;
    const { sdk, breaker } = collected({
      judge: { confirm: () => ({ probability: 0.1, reason }) },
    });
    for (let n = 0; n < 40; n++) {
      breaker.observe({
        kind: 'message',
        agent: n % 2 ? 'ann' : 'bob',
        text: 'Thank you so much.',
      });
      await breaker.admit({ kind: 'turn', agent: 'ann' });
    }
    const [answer] = sdk.spans.filter(({ name }) => name === 'gen_ai.evaluation.result');
    expect(answer?.attributes?.['gen_ai.evaluation.explanation']).toContain('They send');
    expect(JSON.stringify(sdk.spans)).not.toContain(SECRET);
  });
});

describe('an instrumented breaker', () => {
  it('[OTL6] tells nothing any more once it is let go', async () => {
    const { sdk, breaker, stop } = collected({});
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    stop();
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Good day.' });
    breaker.stop('enough');
    expect(await sdk.valuesOf('teamfuse.signals')).toEqual({ '{"teamfuse.signal":"message"}': 1 });
    expect(await sdk.valuesOf('teamfuse.circuits.open')).toEqual({});
    expect(sdk.spans).toEqual([]);
  });

  it('[OTL6] works without an SDK', () => {
    const breaker = new Breaker({ now, judge: false });
    const stop = instrumentBreaker(breaker);
    breaker.on('error', ({ error }) => {
      throw error;
    });
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    expect(breaker.stop('enough').reason).toBe('enough');
    stop();
  });

  it('[OTL6] goes on when a provider fails', () => {
    const { breaker } = collected({});
    const meter = { getMeter: () => new Proxy({}, { get: () => () => failing }) };
    const failing = {
      add: () => {
        throw new Error('no collector');
      },
      record: () => {
        throw new Error('no collector');
      },
    };
    instrumentBreaker(breaker, { meterProvider: meter as never });
    const errors: unknown[] = [];
    breaker.on('error', ({ error }) => errors.push(error));
    breaker.observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    expect(breaker.counters.messages).toBe(1);
    expect(errors).not.toEqual([]);
  });

  it('[OTL7] is that of a tenant alone, where one is given', async () => {
    const sdk = new Collecting();
    const breaker = new Breaker({ now, judge: false });
    instrumentBreaker(breaker.for({ user: 'ann' }), sdk);
    breaker.for({ user: 'ann' }).trackCost(1);
    breaker.for({ user: 'bob' }).trackCost(2);
    expect(await sdk.valuesOf('teamfuse.spend')).toEqual({ '{}': 1 });
  });

  it('[OTL8] refuses attributes that OpenTelemetry would lose, naming them', () => {
    const told = (attributes: unknown) => () =>
      instrumentBreaker(new Breaker({ now, judge: false }), { attributes } as InstrumentOptions)();
    for (const value of [{ name: 'a' }, () => 'a', ['a', {}]]) {
      expect(told({ region: 'eu', team: value })).toThrow(
        /^option 'attributes\.team': expected a text,/,
      );
    }
    expect(
      told({ team: 'a', size: 3, isLive: true, tags: ['a'], region: undefined }),
    ).not.toThrow();
  });

  it('[OTL8] refuses what is no breaker, and other options', () => {
    const wrong = (breaker: unknown, options: unknown) => () =>
      instrumentBreaker(breaker as Breaker, options as InstrumentOptions);
    const breaker = new Breaker({ now, judge: false });
    expect(wrong({}, {})).toThrow(/'breaker': expected a Breaker/);
    for (const attributes of [3, 'research', ['research']]) {
      expect(wrong(breaker, { attributes })).toThrow(/'attributes': expected an object/);
    }
    expect(wrong(breaker, { meter: 1 })).toThrow(/'meter'/);
    expect(wrong(breaker, { meterProvider: 1 })).toThrow(/'meterProvider': expected a provider/);
    expect(wrong(breaker, { tracerProvider: {} })).toThrow(/'tracerProvider': expected a provider/);
  });
});
