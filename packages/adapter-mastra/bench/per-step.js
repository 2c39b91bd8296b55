// What a guard adds to a step, in processor time, of an agent whose model answers at once, and whether memory stays flat.
// Run: node --expose-gc packages/adapter-mastra/bench/per-step.js, after `npm run build`.
import { setTimeout } from 'node:timers/promises';
import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { guardAgent } from '@teamfuse/adapter-mastra';
import { Breaker } from '@teamfuse/core';
import { z } from 'zod';

const STEPS = 10;
const ROUNDS = 20;
const RUNS = 4;
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

async function microsPerStep(one) {
  const began = process.cpuUsage();
  for (let run = 0; run < RUNS; run++) await one.generate('Look.', { maxSteps: STEPS });
  const { user, system } = process.cpuUsage(began);
  return (user + system) / RUNS / STEPS;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const times = { plain: [], guarded: [] };
for (let round = -5; round < ROUNDS; round++) {
  const pair = [await microsPerStep(plain), await microsPerStep(guarded)];
  if (round < 0) continue;
  times.plain.push(pair[0]);
  times.guarded.push(pair[1]);
}
const [alone, both] = [median(times.plain), median(times.guarded)];
console.log(
  `a step: ${alone.toFixed(0)} µs alone, ${both.toFixed(0)} µs guarded: ${(both - alone).toFixed(0)} µs more`,
);

async function megabytesAfter(runs) {
  for (let run = 0; run < runs; run += 100) {
    await Promise.all(
      Array.from({ length: 100 }, () => guarded.generate('Look.', { maxSteps: STEPS })),
    );
  }
  // What was forgotten is let go of in later turns of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    await setTimeout(20);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1e6;
}
const before = await megabytesAfter(500);
const after = await megabytesAfter(500);
console.log(`heap: ${before.toFixed(1)} MB after 500 runs, ${after.toFixed(1)} MB after 1,000`);
