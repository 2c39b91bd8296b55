// What a guard adds to a step of an agent whose model answers at once, and whether memory stays flat.
// Run: npm run bench:adapters
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { guardAgent } from '@teamfuse/adapter-mastra';
import { Breaker } from '@teamfuse/core';
import { z } from 'zod';
import { timeSteps, weighRuns } from '../../adapter-kit/bench/steps.js';

const STEPS = 10;
const usage = {
  inputTokens: { total: 90, noCache: 90, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 9, text: 9, reasoning: 0 },
};

let call = 0;
const look = createTool({
  id: 'look',
  description: 'Looks.',
  inputSchema: z.object({ at: z.number() }),
  execute: async ({ at }) => `bird ${at}`,
});

const model = {
  specificationVersion: 'v3',
  provider: 'instant',
  modelId: 'instant',
  supportedUrls: {},
  doGenerate: async () => {
    const input = JSON.stringify({ at: call });
    return {
      content: [{ type: 'tool-call', toolCallId: `${call++}`, toolName: 'look', input }],
      finishReason: { unified: 'tool-calls', raw: undefined },
      usage,
      warnings: [],
    };
  },
};

function agent() {
  return new Agent({
    id: 'watcher',
    name: 'watcher',
    instructions: 'Look.',
    model,
    tools: { look },
  });
}

const plain = agent();
const guarded = agent();
guardAgent(guarded, new Breaker({ reaction: 'observe' }), { judge: false });

const ask = (one) => () => one.generate('Look.', { maxSteps: STEPS });
const ways = {
  alone: { run: ask(plain) },
  guarded: { run: ask(guarded), beside: 'alone' },
};
await timeSteps(ways, { steps: STEPS, rounds: 40, warmUp: 80 });
await weighRuns('guarded', ask(guarded), { runs: 200 });
