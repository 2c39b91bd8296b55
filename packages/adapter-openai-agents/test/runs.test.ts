import { Agent, handoff, Runner, run, Usage } from '@openai/agents-core';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { Breaker, type Signal, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guardRunner, historyOf, tripOf } from '../src/index.ts';
import { look, looking, NO_CAP, newRunner, watcher } from './support/looking.ts';
import { runSideBySide } from './support/side-by-side.ts';

function signalsOf(breaker: Breaker): Signal[] {
  const signals: Signal[] = [];
  breaker.on('signal', ({ signal }) => signals.push(signal));
  return signals;
}

describe('a run', () => {
  it('[OAG1] openai/openai-agents-js#573: ends with its work, and says why', async () => {
    const model = looking(50);
    const runner = newRunner();
    guardRunner(runner, new Breaker());
    const result = await runner.run(watcher(model), 'Look.', NO_CAP);
    expect(model.calls).toHaveLength(3);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(result.finalOutput).toBe(`teamfuse: ${tripOf(result)?.reason}`);
    const types = result.newItems.map(({ type }) => type);
    const look = ['tool_call_item', 'tool_call_output_item'];
    expect(types).toEqual([...look, ...look, ...look, 'message_output_item']);
    expect(result.history).toHaveLength(8);
    expect(result.lastResponseId).toBe(result.rawResponses[2]?.responseId);
  });

  it('[OAG20] is told the last message of its input as its task, so that a chat may get the same answer', async () => {
    const mails = Array.from({ length: 6 }, (_, i) => `Is this spam? ${i + 2}0 boxes of fruit.`);
    const runner = newRunner();
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    guardRunner(runner, breaker, { conversation: 'mails' });
    const answers = mails.map(() => [assistantMessage('This is spam.')]);
    const labeller = new Agent({ name: 'labeller', model: new ScriptedModel(answers) });
    for (const content of mails) {
      const { finalOutput } = await runner.run(labeller, [{ role: 'user', content }]);
      expect(finalOutput).toBe('This is spam.');
    }
    const tasks = signals.filter(({ kind }) => kind === 'human-input');
    expect(tasks).toMatchObject(mails.map((text) => ({ text, isAutomatic: true })));
  });

  it('[OAG2] ends with a last part where it is streamed, which comes before the end', async () => {
    const model = looking(50);
    const runner = newRunner();
    guardRunner(runner, new Breaker());
    const result = await runner.run(watcher(model), 'Look.', { ...NO_CAP, stream: true });
    const texts: string[] = [];
    for await (const event of result) {
      if (event.type !== 'raw_model_stream_event') continue;
      if (event.data.type === 'output_text_delta') texts.push(event.data.delta);
    }
    await result.completed;
    expect(texts).toEqual([`teamfuse: ${tripOf(result)?.reason}`]);
    expect(model.calls).toHaveLength(3);
    expect(result.history).toHaveLength(8);
  });

  it('[OAG3] that makes progress is left alone, whole and streamed', async () => {
    const runner = newRunner();
    const breaker = new Breaker();
    guardRunner(runner, breaker);
    const healthy = (): Agent =>
      watcher(looking(9, { place: (at) => `field ${at}` }), {
        tools: [look((at) => `a bird over ${at}`)],
      });
    const whole = await runner.run(healthy(), 'Look.', NO_CAP);
    const streamed = await runner.run(healthy(), 'Look.', { ...NO_CAP, stream: true });
    await streamed.completed;
    expect([whole.finalOutput, streamed.finalOutput]).toEqual(['Done.', 'Done.']);
    expect(tripOf(whole)).toBeUndefined();
    expect(breaker.stopped).toEqual([]);
  });

  it('[OAG4] without an answer is refused with a TrippedError', async () => {
    const breaker = new Breaker();
    const runner = newRunner();
    guardRunner(runner, breaker);
    breaker.stop('not today');
    const model = looking(1);
    await expect(runner.run(watcher(model), 'Look.')).rejects.toThrow(TrippedError);
    expect(model.calls).toHaveLength(0);
  });

  it('[OAG5] whose output has a type rejects, and its history is kept', async () => {
    const model = looking(50);
    const runner = newRunner();
    guardRunner(runner, new Breaker());
    const agent = new Agent({
      name: 'watcher',
      model,
      tools: [look()],
      outputType: z.object({ bird: z.string() }),
    });
    const error = await runner.run(agent, 'Look.', NO_CAP).catch((one: unknown) => one);
    expect(error).toBeInstanceOf(TrippedError);
    expect(historyOf(error)).toHaveLength(7);
    expect(historyOf(new Error('other'))).toBeUndefined();
    expect(model.calls).toHaveLength(3);
  });

  it('[OAG6] goes on where a person has approved of a tool', async () => {
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    const runner = newRunner();
    guardRunner(runner, breaker);
    const looks = { ...look(), needsApproval: async () => true };
    const agent = watcher(looking(1), { tools: [looks] });
    const asked = await runner.run(agent, 'Look.');
    for (const one of asked.interruptions) asked.state.approve(one);
    const result = await runner.run(agent, asked.state);
    expect(result.finalOutput).toBe('Done.');
    const calls = signals.filter(({ kind }) => kind === 'tool-call');
    expect(calls).toMatchObject([{ tool: 'look', args: { at: 'sky' }, result: 'blue' }]);
  });
});

describe('agents that work together', () => {
  it('[OAG7] are followed through hand-offs', async () => {
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    const model = looking(50);
    const second = watcher(model);
    const first = new Agent({
      name: 'triage',
      model: new ScriptedModel([[functionCall('transfer_to_watcher', {}, { callId: 'hand' })]]),
      handoffs: [handoff(second)],
    });
    const runner = newRunner();
    guardRunner(runner, breaker);
    const result = await runner.run(first, 'Look.', NO_CAP);
    expect(model.calls).toHaveLength(3);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(result.lastAgent).toBe(second);
    const handed = signals.filter(({ kind }) => kind === 'handoff');
    expect(handed).toMatchObject([{ agent: 'triage', to: 'watcher' }]);
    const callers = signals.filter(({ kind }) => kind === 'model-request').map((one) => one.agent);
    expect(callers.slice(0, 2)).toEqual(['triage', 'watcher']);
  });

  it('[OAG7] that hand a task to and fro are stopped', async () => {
    const handing = (to: string): ScriptedModel =>
      new ScriptedModel(
        Array.from({ length: 50 }, (_, at) => [functionCall(to, {}, { callId: `${to}-${at}` })]),
      );
    const models = [handing('transfer_to_back'), handing('transfer_to_front')] as const;
    const front: Agent = new Agent({ name: 'front', model: models[0] });
    const back: Agent = new Agent({ name: 'back', model: models[1], handoffs: [front] });
    front.handoffs = [back];
    const runner = newRunner();
    guardRunner(runner, new Breaker());
    const result = await runner.run(front, 'Who can help?', NO_CAP);
    expect(tripOf(result)).toBeDefined();
    expect(models[0].calls.length).toBeLessThan(10);
  });

  /** Runs an agent that asks another one, in a tool, for something new five times. */
  async function runWithSubAgent(breaker: Breaker) {
    const outer = looking(5, { place: (at) => `field ${at}`, name: 'watch' });
    const inner = new ScriptedModel(
      Array.from({ length: 5 }, (_, at) => [assistantMessage(`Bird ${at}.`)]),
    );
    const watch = watcher(inner, { name: 'helper' }).asTool({
      toolName: 'watch',
      toolDescription: 'Watches.',
      parameters: z.object({ at: z.string() }),
    });
    const runner = newRunner();
    guardRunner(runner, breaker);
    const agent = new Agent({ name: 'chief', model: outer, tools: [watch] });
    const result = await runner.run(agent, 'Look.', NO_CAP);
    return { result, calls: [inner.calls.length, outer.calls.length] };
  }

  it('[OAG8] are refused an agent alone that has been called as often as it may be', async () => {
    const breaker = new Breaker({ limits: { tools: { watch: { maxCalls: 2 } } } });
    const { result, calls } = await runWithSubAgent(breaker);
    expect([result.finalOutput, calls]).toEqual(['Done.', [2, 6]]);
    expect([breaker.counters.refusals, breaker.stopped]).toEqual([3, []]);
  });

  it('[OAG8] end where an agent in a tool has used up its budget', async () => {
    const breaker = new Breaker({ budget: { agents: { helper: { maxTokens: 1 } } } });
    const { result } = await runWithSubAgent(breaker);
    expect(tripOf(result)?.evidence.purse).toBe('agent:helper');
  });

  it('[OAG8] in tools are nested, and a loop inside ends the run around', async () => {
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    const inner = looking(50);
    const outer = looking(50, { place: (at) => `${at}`, name: 'watch' });
    const helper = watcher(inner, { name: 'helper' });
    const watch = helper.asTool({
      toolName: 'watch',
      toolDescription: 'Watches.',
      parameters: z.object({ at: z.string() }),
      runOptions: NO_CAP,
    });
    const agent = new Agent({ name: 'chief', model: outer, tools: [watch] });
    const runner = newRunner();
    guardRunner(runner, breaker);
    const result = await runner.run(agent, 'Look.', NO_CAP);
    expect([outer.calls.length, inner.calls.length]).toEqual([1, 3]);
    expect(tripOf(result)?.kind).toBe('repetition');
    const nested = signals.filter(({ kind }) => kind.startsWith('nested'));
    expect(nested).toMatchObject([
      { kind: 'nested-start', agent: 'chief', trigger: 'tool:watch', depth: 1 },
      { kind: 'nested-end', agent: 'helper', text: expect.stringMatching(/^teamfuse: /) },
    ]);
    const inside = signals.filter((one) => one.kind === 'tool-call' && one.tool === 'look');
    expect(inside.map(({ agent: by }) => by)).toEqual(['helper', 'helper']);
  });

  it('[OAG9] make one run where guard.run says so', async () => {
    const runner = newRunner();
    const guard = guardRunner(runner, new Breaker());
    let turns = 0;
    const saying = (): Agent =>
      new Agent({ name: 'poet', model: new ScriptedModel([[assistantMessage('A rose.')]]) });
    const work = async (): Promise<void> => {
      for (; turns < 50; turns++) await runner.run(saying(), 'Improve it.');
    };
    await expect(guard.run(work)).rejects.toThrow(TrippedError);
    expect(turns).toBeLessThan(10);
  });
});

describe('a guard', () => {
  it('[OAG10] on the class guards run() and all runners, until it is uninstalled', async () => {
    const guard = guardRunner(Runner, new Breaker());
    const models = [looking(20), looking(20), looking(20)] as const;
    const options = { ...NO_CAP, tracing: { includeTaskAndTurnSpans: false } };
    try {
      expect(tripOf(await run(watcher(models[0]), 'Look.', options))).toBeDefined();
      expect(tripOf(await newRunner().run(watcher(models[1]), 'Look.', NO_CAP))).toBeDefined();
    } finally {
      guard.uninstall();
    }
    await run(watcher(models[2]), 'Look.', options);
    expect(models.map(({ calls }) => calls.length)).toEqual([3, 3, 21]);
  });

  it('[OAG11] leaves agents, tools and runners as they were once no run is under way', async () => {
    const runner = newRunner();
    guardRunner(runner, new Breaker());
    const agent = watcher(looking(2, { place: (at) => `field ${at}` }));
    const parts = [agent, ...agent.tools, runner.config, Runner.prototype];
    const seen = () => parts.map((part) => Object.getOwnPropertyDescriptors(part));
    const before = seen();
    await runner.run(agent, 'Look.');
    const streamed = await runner.run(agent.clone({ model: looking(1) }), 'Look.', {
      stream: true,
    });
    await streamed.completed;
    await new Promise(setImmediate);
    expect(seen()).toEqual(before);
  });

  it('[OAG12] gives each of 20 parallel runs a conversation of its own', () => runSideBySide(20));

  it('[OAG13] reports tokens exactly, cached ones included, whole and streamed', async () => {
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    const runner = newRunner();
    guardRunner(runner, breaker);
    const usage = new Usage({
      inputTokens: 120,
      outputTokens: 9,
      totalTokens: 129,
      inputTokensDetails: [{ cached_tokens: 80 }],
    });
    const agent = (): Agent =>
      watcher(new ScriptedModel([{ usage, output: [assistantMessage('Hi.')], responseId: 'r' }]));
    await runner.run(agent(), 'Hello.');
    await (await runner.run(agent(), 'Hello.', { stream: true })).completed;
    const spent = { inputTokens: 120, outputTokens: 9 };
    expect(signals.filter(({ kind }) => kind === 'usage')).toMatchObject([spent, spent]);
  });

  it('[OAG14] does not take errors that the SDK hides for the same one', async () => {
    const failing = (place: (at: number) => string) => {
      const model = looking(8, { place });
      const tools = [look((at) => Promise.reject(new Error(`no way to ${at}`)))];
      return { model, agent: watcher(model, { tools }) };
    };
    const runner = newRunner();
    const breaker = new Breaker();
    const signals = signalsOf(breaker);
    guardRunner(runner, breaker);
    const same = failing(() => 'sky');
    await runner.run(same.agent, 'Look.', NO_CAP);
    const other = failing((at) => `field ${at}`);
    await runner.run(other.agent, 'Look.', NO_CAP);
    expect(same.model.calls).toHaveLength(3);
    expect(other.model.calls.length).toBeGreaterThan(3);
    const call = signals.find((signal) => signal.kind === 'tool-call');
    // Versions before 0.19 do not hide it.
    const messages = ['look failed with {"at":"sky"}', 'no way to sky'];
    expect(messages).toContain(call?.error?.message);
  });

  it('[OAG15] refuses what is no runner', () => {
    expect(() => guardRunner({} as Runner, new Breaker())).toThrow('a Runner; received');
  });
});
