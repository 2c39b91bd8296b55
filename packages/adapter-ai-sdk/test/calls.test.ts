import { runFor } from '@teamfuse/adapter-kit';
import { Breaker } from '@teamfuse/core';
import { FakeClock } from '@teamfuse/testing';
import * as ai from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { breakerTelemetry, guardModel, guardTools, tripOf, tripped } from '../src/index.ts';
import { looking, tools } from './support/looking.ts';
import { type Answer, scripted } from './support/models.ts';
import { callSideBySide, WAYS } from './support/side-by-side.ts';

/** Streams what a model says that loops if it is let. */
function looked(model: MockLanguageModelV4, breaker: Breaker) {
  return ai.streamText({
    model: guardModel(model, breaker),
    tools: guardTools(tools(), breaker),
    stopWhen: ai.isStepCount(20),
    prompt: 'Look.',
  });
}

/** A model that looks again and again, until it is told that this is its last answer. */
function lookingUntilTold(): MockLanguageModelV4 {
  let calls = 0;
  const answer = ({ texts }: { readonly texts: readonly string[] }): Answer =>
    texts.some((text) => text.includes('last answer'))
      ? { text: 'It was blue.' }
      : { text: '', calls: [{ id: `call-${++calls}`, tool: 'look', args: { at: 'sky' } }] };
  return new MockLanguageModelV4(scripted(answer) as unknown as MockLanguageModelV4);
}

describe('calls that no agent makes', () => {
  it('[AIS22] belong to the conversation that is named, and leave the others alone', async () => {
    const breaker = new Breaker();
    const trips: string[] = [];
    breaker.on('trip', ({ conversation }) => trips.push(conversation));
    const ask = (conversation: string, steps: number) =>
      ai.generateText({
        model: guardModel(looking(20), breaker, { conversation }),
        tools: guardTools(tools(), breaker, { conversation }),
        stopWhen: [ai.isStepCount(steps), tripped(breaker)],
        prompt: 'Look.',
      });
    expect((await ask('chat 1', 20)).steps).toHaveLength(3);
    expect((await ask('chat 2', 2)).steps).toHaveLength(2);
    const { steps } = await runFor(breaker, { user: 'ann', conversation: 'chat 3' }, () =>
      ai.generateText({
        model: guardModel(looking(20), breaker),
        tools: guardTools(tools(), breaker),
        stopWhen: [ai.isStepCount(20), tripped(breaker)],
        prompt: 'Look.',
      }),
    );
    expect(steps).toHaveLength(3);
    expect(trips).toEqual(['chat 1', 'user:ann/chat 3']);
  });

  it('[AIS1] ends generateText() before its next model call, and keeps its steps', async () => {
    const breaker = new Breaker();
    const model = looking(20);
    const result = await ai.generateText({
      model: guardModel(model, breaker),
      tools: guardTools(tools(), breaker),
      stopWhen: [ai.isStepCount(20), tripped(breaker)],
      prompt: 'Look.',
    });
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(result.steps).toHaveLength(3);
    expect(model.doGenerateCalls).toHaveLength(3);
  });

  it('[AIS2] ends it without stopWhen, too: with a last step that says why', async () => {
    const breaker = new Breaker();
    const model = looking(20);
    const result = await ai.generateText({
      model: guardModel(model, breaker),
      tools: guardTools(tools(), breaker),
      stopWhen: ai.isStepCount(20),
      prompt: 'Look.',
    });
    expect(model.doGenerateCalls).toHaveLength(3);
    expect(result.steps).toHaveLength(4);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(result.finishReason).toBe('other');
    expect(result.rawFinishReason).toMatch(/^teamfuse: /);
  });

  it.each(['whole', 'streamed'])(
    '[AIS21] ends a %s call whose tools nothing guards',
    async (way) => {
      const breaker = new Breaker();
      const model = looking(20);
      const settings = {
        model: guardModel(model, breaker),
        tools: tools(),
        stopWhen: ai.isStepCount(20),
        prompt: 'Look.',
      };
      const run = way === 'whole' ? await ai.generateText(settings) : ai.streamText(settings);
      const steps = await run.steps;
      expect(tripOf(steps.at(-1))?.kind).toBe('repetition');
      expect(model.doGenerateCalls.length + model.doStreamCalls.length).toBe(3);
    },
  );

  it('[AIS21] leaves it alone where its tools find something', async () => {
    const breaker = new Breaker();
    const places = new Map<string, number>();
    const found = (at: string) => `${at} ${places.set(at, (places.get(at) ?? 0) + 1).get(at)}`;
    const { steps } = await ai.generateText({
      model: guardModel(looking(12), breaker),
      tools: tools(found),
      stopWhen: ai.isStepCount(20),
      prompt: 'Look.',
    });
    expect(steps).toHaveLength(13);
    expect(breaker.counters).toMatchObject({ toolCalls: 12, trips: 0 });
  });

  it('[AIS21] tells of a call once where its tools are guarded as well', async () => {
    const breaker = new Breaker();
    await ai.generateText({
      model: guardModel(
        looking(3, (at) => `star ${at}`),
        breaker,
      ),
      tools: guardTools(
        tools((at) => `${at} is blue`),
        breaker,
      ),
      stopWhen: ai.isStepCount(20),
      prompt: 'Look.',
    });
    expect(breaker.counters.toolCalls).toBe(3);
  });

  it('[AIS16] ends it with a last answer that says it is one, whole or streamed', async () => {
    const settings = (breaker: Breaker) => ({
      model: guardModel(lookingUntilTold(), breaker),
      tools: guardTools(tools(), breaker),
      stopWhen: [ai.isStepCount(20), tripped(breaker)],
      prompt: 'Look.',
    });
    const whole = await ai.generateText(settings(new Breaker({ wrapUp: { maxTokens: 50 } })));
    const streamed = ai.streamText(settings(new Breaker({ wrapUp: { maxTokens: 50 } })));
    await streamed.consumeStream();
    const last = (await streamed.steps).at(-1);
    for (const step of [whole.steps.at(-1), last]) {
      expect(step?.text).toBe('It was blue.');
      expect(tripOf(step)?.hasLastAnswer).toBe(true);
      expect(step?.providerMetadata?.teamfuse).toMatchObject({ isLastAnswer: true });
    }
    expect(tripOf(whole)?.hasLastAnswer).toBe(true);
  });

  it('[AIS3] ends streamText() with a last part that says why', async () => {
    const breaker = new Breaker();
    const model = looking(20);
    const result = looked(model, breaker);
    await result.consumeStream();
    expect(model.doStreamCalls).toHaveLength(3);
    expect(tripOf((await result.steps).at(-1) ?? {})?.kind).toBe('repetition');
    expect(await result.finishReason).toBe('other');
    expect(await result.rawFinishReason).toMatch(/^teamfuse: /);
  });

  it('[AIS3] leaves a stream to its reader when it is asked why it was stopped', async () => {
    const breaker = new Breaker();
    const model = looking(20);
    const result = looked(model, breaker);
    expect(tripOf(result)).toBeUndefined();
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(model.doStreamCalls.length).toBeLessThan(3);
    await result.consumeStream();
    expect(model.doStreamCalls).toHaveLength(3);
  });

  it('[AIS4] leaves a healthy twin alone, whole and streamed', async () => {
    const breaker = new Breaker();
    const twin = {
      tools: guardTools(
        tools((at) => `a bird over ${at}`),
        breaker,
      ),
      stopWhen: [ai.isStepCount(20), tripped(breaker)],
      prompt: 'Look.',
    };
    const place = (at: number): string => `field ${at}`;
    const whole = await ai.generateText({ model: guardModel(looking(9, place), breaker), ...twin });
    const streamed = ai.streamText({ model: guardModel(looking(9, place), breaker), ...twin });
    expect([whole.text, await streamed.text]).toEqual(['Done.', 'Done.']);
    expect(whole.steps).toHaveLength(10);
    expect(breaker.stopped).toEqual([]);
  });

  it.each(WAYS)('[AIS5] gives each of 20 parallel calls a conversation of its own: %s', (_, call) =>
    callSideBySide(20, call),
  );

  it('[AIS5] begins a run for each request of a chat, whose history holds the calls before', async () => {
    const breaker = new Breaker();
    const conversations = new Set<string>();
    breaker.on('signal', ({ conversation }) => conversations.add(conversation));
    const messages: ai.ModelMessage[] = [];
    for (let request = 0; request < 5; request++) {
      messages.push({ role: 'user', content: 'Look once more.' });
      const result = ai.streamText({
        model: guardModel(looking(1), breaker),
        tools: guardTools(tools(), breaker),
        stopWhen: ai.isStepCount(20),
        messages,
      });
      messages.push(...(await result.response).messages);
      expect(await result.text).toBe('Done.');
    }
    expect([conversations.size, breaker.stopped]).toEqual([5, []]);
  });

  it('[AIS5] does not count the time in which a person or a client uses a tool', async () => {
    const clock = new FakeClock();
    const { now, timers } = clock;
    const breaker = new Breaker({ maxRunMs: 60_000, now, timers });
    const conversations = new Set<string>();
    breaker.on('signal', ({ conversation }) => conversations.add(conversation));
    const model = looking(3);
    const ask = async (messages: ai.ModelMessage[]) => {
      const result = ai.streamText({
        model: guardModel(model, breaker),
        tools: { look: ai.tool({ inputSchema: z.object({ at: z.string() }) }) },
        messages,
      });
      const { messages: more } = await result.response;
      return { more, text: await result.text, calls: await result.toolCalls };
    };
    const messages: ai.ModelMessage[] = [{ role: 'user', content: 'Look.' }];
    for (;;) {
      const { more, text, calls } = await ask(messages);
      messages.push(...more);
      const [call] = calls;
      if (call === undefined) {
        expect(text).toBe('Done.');
        break;
      }
      clock.advance(3_600_000);
      const { toolCallId, toolName } = call;
      const output = { type: 'text' as const, value: `bird ${messages.length}` };
      const result = { type: 'tool-result' as const, toolCallId, toolName, output };
      messages.push({ role: 'tool', content: [result] });
    }
    expect([conversations.size, breaker.stopped]).toEqual([1, []]);
  });

  it('[AIS5] goes on with a run whose provider has still to answer a call of a tool, and ends it if not', async () => {
    const { content, ...whole } = await looking(0).doGenerate({ prompt: [] });
    const call = { type: 'tool-call', toolCallId: 'p', toolName: 'web', providerExecuted: true };
    const result = { type: 'tool-result', toolCallId: 'p', toolName: 'web', result: 'blue' };
    const runs: number[] = [];
    for (const parts of [[call], [call, result]]) {
      const breaker = new Breaker();
      const conversations = new Set<string>();
      breaker.on('signal', ({ conversation }) => conversations.add(conversation));
      const answers = [parts, content];
      const model = new MockLanguageModelV4({
        doGenerate: async () => ({ ...whole, content: answers.shift() ?? [] }) as never,
      });
      const guarded = guardModel(model, breaker);
      const headers = {};
      for (let step = 0; step < 2; step++) await guarded.doGenerate({ prompt: [], headers });
      runs.push(conversations.size);
    }
    expect(runs).toEqual([1, 2]);
  });

  it('[AIS5] tells streams apart whose calls of tools have no id', async () => {
    const breaker = new Breaker();
    const conversations = new Set<string>();
    breaker.on('signal', ({ conversation }) => conversations.add(conversation));
    const model = guardModel(looking(0), breaker);
    const results = ['', ''].map((toolCallId) => ({ type: 'tool-result', toolCallId }));
    for (const content of [results, [{ type: 'tool-approval-response' }], results]) {
      const { stream } = await model.doStream({ prompt: [{ role: 'tool', content }] } as never);
      for await (const _ of stream as unknown as AsyncIterable<unknown>);
    }
    expect(conversations.size).toBe(3);
  });

  it('[AIS5] stops the clock of a stream whose caller aborts it, or whose reader leaves', async () => {
    const pending = new Set<object>();
    const set = (): object => {
      const timer = {};
      pending.add(timer);
      return timer;
    };
    const timers = { set, clear: (timer: unknown) => void pending.delete(Object(timer)) };
    const breaker = new Breaker({ maxRunMs: 3_600_000, timers });
    const controller = new AbortController();
    const { fullStream } = ai.streamText({
      model: guardModel(looking(5), breaker),
      prompt: 'Look.',
      abortSignal: controller.signal,
    });
    for await (const { type } of fullStream) {
      if (type === 'start-step') controller.abort();
    }
    await expect.poll(() => pending.size).toBe(0);
    const { stream } = await guardModel(looking(5), breaker).doStream({ prompt: [] });
    expect(pending.size).toBe(1);
    await stream.cancel();
    expect(pending.size).toBe(0);
    const idle = await guardModel(looking(5), breaker).doStream({ prompt: [] });
    expect(pending.size).toBe(1);
    await idle.stream.getReader().read();
    expect(pending.size).toBe(0);
    const away = new MockLanguageModelV4({
      doGenerate: async () => Promise.reject(new Error('away')),
      doStream: async () => Promise.reject(new Error('away')),
    });
    const model = guardModel(away, breaker);
    for (const ask of [model.doGenerate, model.doStream]) {
      await expect(ask({ prompt: [], headers: {} })).rejects.toThrow('away');
      expect(pending.size).toBe(0);
    }
  });
});

describe('all calls of a process', () => {
  afterEach(() => void Reflect.deleteProperty(globalThis, 'AI_SDK_TELEMETRY_INTEGRATIONS'));

  it('[AIS6] ends those that trip, whole and streamed, and leaves their twins alone', async () => {
    ai.registerTelemetry(breakerTelemetry(new Breaker()));
    const given = {
      tools: tools((at) => `seen ${at}`),
      stopWhen: ai.isStepCount(20),
      prompt: 'Look.',
    };
    const [whole, streamed] = [looking(20), looking(20)];
    const twin = (at: number): string => `field ${at}`;
    const result = await ai.generateText({ model: whole, ...given });
    const stream = ai.streamText({ model: streamed, ...given });
    await stream.consumeStream();
    expect([whole.doGenerateCalls.length, streamed.doStreamCalls.length]).toEqual([3, 3]);
    expect([result.rawFinishReason, await stream.rawFinishReason]).toEqual([
      expect.stringMatching(/^teamfuse: /),
      expect.stringMatching(/^teamfuse: /),
    ]);
    const steps = await stream.steps;
    expect([tripOf(result)?.kind, tripOf(steps.at(-1) ?? {})?.kind]).toEqual([
      'repetition',
      'repetition',
    ]);
    const healthy = await ai.generateText({ model: looking(9, twin), ...given });
    expect(tripOf(healthy)).toBeUndefined();
    const flowing = ai.streamText({ model: looking(9, twin), ...given });
    expect([healthy.text, await flowing.text]).toEqual(['Done.', 'Done.']);
  });

  it('[AIS7] finds the calls that are not guarded', async () => {
    const telemetry = breakerTelemetry(new Breaker());
    ai.registerTelemetry(telemetry);
    const covers = (own?: ai.TelemetryOptions): Promise<boolean> =>
      telemetry.covers((model) =>
        ai.generateText({ model, prompt: 'x', ...(own && { telemetry: own }) }),
      );
    expect(await covers()).toBe(true);
    expect(await covers({ isEnabled: false })).toBe(false);
    expect(await covers({ integrations: [] })).toBe(false);
    expect(await covers({ integrations: [telemetry] })).toBe(true);
  });
});

describe('what people ask for', () => {
  const pages = z.object({ page: z.number(), size: z.number() });

  /** Asks for the same page with its arguments in another order each time. */
  function asking(): MockLanguageModelV4 {
    let asked = 0;
    const answer = (): Answer => {
      const args = asked++ % 2 ? { page: 1, size: 9 } : { size: 9, page: 1 };
      return { text: '', calls: [{ id: `page-${asked}`, tool: 'read', args }] };
    };
    return new MockLanguageModelV4(
      scripted(answer) as unknown as Pick<MockLanguageModelV4, 'doGenerate'>,
    );
  }

  async function steps(execute: () => Promise<string>, toolChoice: 'auto' | 'required') {
    const breaker = new Breaker();
    const { steps } = await ai.generateText({
      model: guardModel(asking(), breaker),
      tools: guardTools({ read: ai.tool({ inputSchema: pages, execute }) }, breaker),
      toolChoice,
      stopWhen: [ai.isStepCount(20), tripped(breaker)],
      prompt: 'Read.',
    });
    return steps.length;
  }

  it('[AIS8] vercel/ai#17606: identical calls go on, in whatever order their arguments are', async () => {
    expect(await steps(async () => 'the page', 'auto')).toBe(3);
  });

  it('[AIS8] vercel/ai#17610: calls with identical errors count, too', async () => {
    expect(await steps(() => Promise.reject(new Error('no such page')), 'auto')).toBe(3);
  });

  it('[AIS8] vercel/ai#12335: a forced tool choice never lets the model finish', async () => {
    expect(await steps(async () => 'the page', 'required')).toBe(3);
  });
});
