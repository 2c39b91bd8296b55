import { setImmediate } from 'node:timers/promises';
import { Breaker, type PriceBook, type Signal } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { describe, expect, it } from 'vitest';
import {
  GuardContext,
  type GuardOptions,
  type ModelCallInfo,
  TapSet,
  type TeamModel,
} from '../../src/index.ts';
import { teamJudge } from '../../src/judge/team-judge.ts';
import { type ScriptedClient, scriptedModel, stall } from '../support/scripted-model.ts';
import { callModel } from '../support/steps.ts';

/** What the judge of a guard has cost, by its first answer, in nano-dollars; `null` if nobody knows. */
async function priceOf(options: GuardOptions, model: TeamModel): Promise<number | null> {
  const breaker = new Breaker();
  const context = new GuardContext(breaker, options);
  context.lendJudge(model);
  for (let turn = 0; turn < 40 && breaker.judged.cost.tokens === 0; turn++) {
    await stall(breaker, 2);
  }
  const { nanoUsd, tokens, unpricedTokens } = breaker.judged.cost;
  expect(tokens).toBe(1100);
  context.close();
  return unpricedTokens > 0 ? null : nanoUsd;
}

const each = (nanoUsd: number): PriceBook => ({ price: () => ({ nanoUsd }) });
const only = (name: string, nanoUsd: number): PriceBook => ({
  price: (model) => (model === name ? { nanoUsd } : undefined),
});

describe('what the model of the team takes for an answer', () => {
  it('[KIT78] has the prices of the guard, and without any the public ones', async () => {
    const { model } = scriptedModel({ probability: 0 });
    expect(await priceOf({ judge: true, prices: each(7) }, model)).toBe(7);
    expect(await priceOf({ judge: true }, model)).toBe(210_000);
    const own = scriptedModel({ probability: 0 }, 'my-own').model;
    expect(await priceOf({ judge: true }, own)).toBeNull();
  });

  it('[KIT78] has those of the agent before them, and those of the declared model after them', async () => {
    const { model } = scriptedModel({ probability: 0 }, 'my-own');
    expect(await priceOf({ judge: true, prices: each(7) }, { ...model, prices: each(3) })).toBe(3);
    const declared = { judge: true, prices: only('known', 9), models: { writer: 'known' } };
    expect(await priceOf(declared, model)).toBe(9);
    expect(await priceOf({ ...declared, models: { critic: 'known' } }, model)).toBeNull();
  });

  it('[KIT78] is unknown where the price book throws, which is reported', async () => {
    const problems: unknown[] = [];
    const broken: PriceBook = {
      price: () => {
        throw new Error('no luck');
      },
    };
    const options = { judge: true, prices: broken, onError: (one: unknown) => problems.push(one) };
    expect(await priceOf(options, scriptedModel({ probability: 0 }).model)).toBeNull();
    expect(problems).toEqual([{ during: 'observe', error: new Error('no luck') }]);
  });
});

describe('another model', () => {
  it('[KIT79] is asked through the client of the team, at its own price', async () => {
    const own = scriptedModel({ probability: 0 }, 'large');
    const small = scriptedModel({ probability: 0 }, 'small');
    const names: string[] = [];
    const client = {
      ...own.client,
      withModel(this: unknown, name: string) {
        expect(this).toBe(client);
        names.push(name);
        return small.client;
      },
    };
    const options = { judge: 'small', prices: only('small', 5), models: 'large' };
    expect(await priceOf(options, { client, agent: 'writer', prices: each(3) })).toBe(5);
    expect([names, own.calls.length, small.calls.length]).toEqual([['small'], 0, 1]);
  });

  it('[KIT79] is refused where the client cannot be asked for it, naming the agent', () => {
    const context = new GuardContext(new Breaker(), { judge: 'small' });
    expect(() => context.lendJudge(scriptedModel({ probability: 0 }, 'large').model)).toThrow(
      "option 'judge': the client of 'writer' cannot ask another model (it has no withModel()); use judge: true",
    );
  });

  it('[KIT79] may be the one that the client asks anyway', async () => {
    const { model } = scriptedModel({ probability: 0 }, 'large');
    expect(await priceOf({ judge: 'large', prices: each(7) }, model)).toBe(7);
  });
});

describe('a question to the model of the team', () => {
  /** A guard that has tapped a client itself, which agents share. */
  function tapped() {
    const breaker = new Breaker();
    const context = new GuardContext(breaker);
    const taps = new TapSet(context);
    const { client, calls, model } = scriptedModel({ probability: 0 });
    const original = client.create.bind(client);
    const info: ModelCallInfo = { agent: 'writer', model: client.model };
    const create: ScriptedClient['create'] = (messages, options) =>
      callModel(context, {
        ...info,
        signal: options?.signal,
        work: (signal) => original(messages, signal === undefined ? {} : { signal }),
        usageOf: () => ({ inputTokens: 1, outputTokens: 1 }),
      });
    taps.replace(client, 'client', 'create', create);
    const signals: Signal[] = [];
    breaker.on('signal', ({ signal }) => signals.push(signal));
    return { breaker, context, client, calls, model, signals };
  }

  it('[KIT80] passes the taps of a client that they have changed itself', async () => {
    const { breaker, context, model, calls, signals } = tapped();
    internalsOf(breaker).judges.lend(teamJudge(model, true, context.pricing));
    await stall(breaker);
    expect(calls.length).toBe(breaker.judged.questions);
    expect(calls.length).toBeGreaterThan(0);
    expect(new Set(signals.map(({ kind }) => kind))).toEqual(new Set(['message']));
  });

  it('[KIT80] does not wait for its own answer where the judge is waited for', async () => {
    const { breaker, context, client, model, calls } = tapped();
    const confirm = teamJudge(model, true, context.pricing);
    internalsOf(breaker).judges.lend({ confirm, blocking: true });
    const answers: number[] = [];
    breaker.on('answer', ({ probability }) => answers.push(probability));
    for (let i = 0; i < 12 && breaker.judged.questions === 0; i++) {
      const agent = 'ab'.charAt(i % 2);
      breaker.observe({ kind: 'message', at: 0, agent, text: 'Let us see, shall we?' });
    }
    await client.create([{ content: 'Go on.' }]);
    expect(answers).toEqual([0]);
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(['Go on.']);
  });

  it('[KIT80] belongs to no run, in the midst of one', async () => {
    const breaker = new Breaker();
    const context = new GuardContext(breaker);
    const { client, model } = scriptedModel({ probability: 0 });
    const places: unknown[] = [];
    const create: ScriptedClient['create'] = async (messages) => {
      await setImmediate();
      context.within(context.looseScope('inside'), () => places.push(context.scope));
      return client.create(messages);
    };
    const asking = { ...model, client: { ...client, create } };
    internalsOf(breaker).judges.lend(teamJudge(asking, true, context.pricing));
    const place = context.looseScope('crew');
    await context.within(place, async () => {
      await stall(breaker);
      expect(context.scope).toBe(place);
    });
    expect(new Set(places)).toEqual(new Set([undefined]));
  });
});
