import type { Agent } from '@mastra/core/agent';
import { Breaker, TrippedError } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardAgent, tripOf } from '../src/index.ts';
import { WAYS } from './support/contract-harness.ts';
import { cutOff, looking, type Watcher, watcher } from './support/looking.ts';
import { agent, model } from './support/scripted.ts';
import { oneAgent, ownAgents } from './support/side-by-side.ts';

const MANY = { maxSteps: 20 } as const;

describe('an agent', () => {
  it('[MAS1] mastra-ai/mastra#14720: ends with a tripwire before its next model call, and keeps its steps', async () => {
    const { agent, asked } = watcher(looking(50));
    guardAgent(agent, new Breaker());
    const result = await agent.generate('Look.', MANY);
    expect(asked()).toBe(3);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(result).toMatchObject({
      tripwire: {
        reason: `teamfuse: ${tripOf(result)?.reason}`,
        metadata: { teamfuse: { kind: 'repetition' } },
      },
      steps: [{}, {}, {}],
    });
  });

  // The framework ends such a run by itself only where the provider gives `length` as the reason. With another one it still asks again.
  it('[MAS1] mastra-ai/mastra#15717: ends while its calls of tools are cut off again and again', async () => {
    const { agent, asked } = watcher(cutOff(50));
    guardAgent(agent, new Breaker());
    const result = await agent.generate('Look.', MANY);
    expect(asked()).toBe(3);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(result).toMatchObject({ tripwire: {}, steps: [{}, {}, {}] });
  });

  it('[MAS3] mastra-ai/mastra#15717: is left alone once a call of a tool is whole', async () => {
    const breaker = new Breaker();
    const { agent, asked } = watcher(cutOff(1));
    guardAgent(agent, breaker);
    expect(await agent.generate('Look.', MANY)).toMatchObject({ text: 'Done.' });
    expect([asked(), breaker.stopped]).toEqual([3, []]);
  });

  it('[MAS17] is told the last of its messages as its task, so that a chat may get the same answer', async () => {
    const mails = Array.from({ length: 6 }, (_, i) => `Is this spam? ${i + 2}0 boxes of fruit.`);
    const breaker = new Breaker();
    const tasks: object[] = [];
    breaker.on('signal', ({ signal }) => signal.kind === 'human-input' && tasks.push(signal));
    const own = model('v2', 'labeller', () => ({ text: 'This is spam.' }));
    const labeller = agent('labeller', own, {});
    guardAgent(labeller, breaker, { conversation: 'mails' });
    for (const content of mails) {
      const result = await labeller.generate([{ role: 'user', content }]);
      expect(result).toMatchObject({ text: 'This is spam.' });
    }
    expect(tasks).toMatchObject(mails.map((text) => ({ text, isAutomatic: true })));
  });

  it('[MAS2] ends its stream so, too', async () => {
    const { agent, asked } = watcher(looking(50));
    guardAgent(agent, new Breaker());
    const result = await agent.stream('Look.', MANY);
    const types: string[] = [];
    for await (const { type } of result.fullStream) types.push(type);
    expect(types.at(-1)).toBe('tripwire');
    expect(asked()).toBe(3);
    expect(tripOf(result)?.kind).toBe('repetition');
    expect(await result.steps).toHaveLength(3);
  });

  it('[MAS3] is left alone when it makes progress, whole and streamed', async () => {
    const breaker = new Breaker();
    const healthy = (): Watcher =>
      watcher(
        looking(9, (at) => `field ${at}`),
        (at) => `a bird over ${at}`,
      );
    const [whole, streamed] = [healthy(), healthy()];
    guardAgent([whole.agent, streamed.agent], breaker);
    const result = await whole.agent.generate('Look.', MANY);
    const stream = await streamed.agent.stream('Look.', MANY);
    expect([result.text, await stream.text]).toEqual(['Done.', 'Done.']);
    expect(result.steps).toHaveLength(10);
    expect(breaker.stopped).toEqual([]);
  });

  it('[MAS4] is refused with a TrippedError where its work has not begun', async () => {
    const breaker = new Breaker();
    const { agent, asked } = watcher(looking(1));
    guardAgent(agent, breaker);
    breaker.stop('not today');
    await expect(agent.generate('Look.')).rejects.toThrow(TrippedError);
    expect(asked()).toBe(0);
  });

  it('[MAS5] mastra-ai/mastra#10866: counts its sub-agents against its limits', async () => {
    const inner = watcher(
      looking(50, (at) => `field ${at}`),
      (at) => `a bird over ${at}`,
    );
    const outer = watcher(
      looking(50, (at) => `part ${at}`, { tool: 'agent-inner', field: 'prompt' }),
      undefined,
      { inner: inner.agent },
    );
    guardAgent(outer.agent, new Breaker({ maxModelCalls: 6 }));
    const result = await outer.agent.generate('Look.', MANY);
    expect(outer.asked() + inner.asked()).toBe(6);
    expect(tripOf(result)?.kind).toBe('limit');
  });

  /** An agent that asks its sub-agent for something new five times. */
  function withSubAgent() {
    let asked = 0;
    const own = model('v3', 'scripted', () => ({ text: `Bird ${++asked}.` }));
    const inner = agent('inner', own, {}, { description: 'Looks at places.' });
    const outer = watcher(
      looking(5, (at) => `part ${at}`, { tool: 'agent-inner', field: 'prompt' }),
      undefined,
      { inner: inner as unknown as Agent },
    );
    return { outer, asked: () => asked };
  }

  it('[MAS5] is refused a sub-agent alone that has been called as often as it may be', async () => {
    const { outer, asked } = withSubAgent();
    const breaker = new Breaker({ limits: { tools: { 'agent-inner': { maxCalls: 2 } } } });
    guardAgent(outer.agent, breaker);
    const result = await outer.agent.generate('Look.', MANY);
    expect([result.text, asked(), outer.asked()]).toEqual(['Done.', 2, 6]);
    expect([breaker.counters.refusals, breaker.stopped]).toEqual([3, []]);
  });

  it('[MAS5] ends where a sub-agent has used up its budget', async () => {
    const { outer } = withSubAgent();
    guardAgent(outer.agent, new Breaker({ budget: { agents: { inner: { maxTokens: 1 } } } }));
    const result = await outer.agent.generate('Look.', MANY);
    expect(tripOf(result)?.evidence.purse).toBe('agent:inner');
  });

  it('[MAS6] keeps the steps that its user prepares, by a call or by default', async () => {
    const { agent } = watcher(looking(1));
    guardAgent(agent, new Breaker());
    const prepared: string[] = [];
    const prepareStep = (name: string) => () => void prepared.push(name);
    await agent.generate('Look.', { prepareStep: prepareStep('call') });
    const other = watcher(looking(1), undefined, {}, { prepareStep: prepareStep('default') }).agent;
    guardAgent(other, new Breaker());
    await other.generate('Look.');
    expect(prepared).toEqual(['call', 'call', 'default', 'default']);
  });

  it('[MAS7] books nothing for a call that is not made after all', async () => {
    const breaker = new Breaker({ budget: { maxTokens: 1_300 } });
    const veto = {
      id: 'veto',
      processLLMRequest: ({ abort }: { abort: (reason: string) => never }) => abort('not this one'),
    };
    const [vetoed, other] = [watcher(looking(0), undefined, {}, {}, [veto]), watcher(looking(0))];
    guardAgent([vetoed.agent, other.agent], breaker);
    const result = await vetoed.agent.generate('Look.');
    expect(result).toMatchObject({ tripwire: { reason: 'not this one' } });
    expect([vetoed.asked(), breaker.cost.tokens]).toEqual([0, 0]);
    // A reservation of a long answer would leave no room for another one.
    expect(await other.agent.generate('Look.')).toMatchObject({ text: 'Done.' });
  });

  it('[MAS8] gives each of 20 parallel runs a conversation of its own', () => ownAgents(20));

  it.each(WAYS)('[MAS8] does so for calls of one agent, too: %s', (way) => oneAgent(10, way));
});
