// What a guard adds to a step of an agent whose model answers at once, and whether memory stays flat.
// Run: npm run bench:adapters
import { Agent, Runner, tool, Usage } from '@openai/agents-core';
import { guardRunner } from '@teamfuse/adapter-openai-agents';
import { Breaker } from '@teamfuse/core';
import { z } from 'zod';
import { timeSteps, weighRuns } from '../../adapter-kit/bench/steps.js';

const STEPS = 10;

let call = 0;
const birds = tool({
  name: 'look',
  description: 'Looks.',
  parameters: z.object({ at: z.number() }),
  execute: async ({ at }) => `bird ${at}`,
});

const model = {
  async getResponse({ input }) {
    const isDone = input.length > 2 * STEPS - 2;
    const callId = `${call++}`;
    const asked = { type: 'function_call', callId, name: 'look', status: 'completed' };
    const text = [{ type: 'output_text', text: 'Done.' }];
    return {
      usage: new Usage({ inputTokens: 90, outputTokens: 9, totalTokens: 99 }),
      output: isDone
        ? [{ type: 'message', role: 'assistant', status: 'completed', content: text }]
        : [{ ...asked, arguments: JSON.stringify({ at: call }) }],
    };
  },
};
const provider = { getModel: () => model };
const agent = new Agent({ name: 'watcher', tools: [birds] });
const plain = new Runner({ modelProvider: provider, tracingDisabled: true });
const guarded = new Runner({ modelProvider: provider, tracingDisabled: true });
guardRunner(guarded, new Breaker({ reaction: 'observe' }), { judge: false });

const look = (runner) => () => runner.run(agent, 'Look.', { maxTurns: STEPS + 1 });
const ways = {
  alone: { run: look(plain) },
  guarded: { run: look(guarded), beside: 'alone' },
};
await timeSteps(ways, { steps: STEPS, warmUp: 200 });
await weighRuns('guarded', look(guarded), { runs: 500 });
