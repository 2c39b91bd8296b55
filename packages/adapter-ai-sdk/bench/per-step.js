// What a guard adds to a step, in processor time, of an agent whose model answers at once, and whether memory stays flat.
// Run: node --expose-gc packages/adapter-ai-sdk/bench/per-step.js, after `npm run build`.
import { setTimeout } from 'node:timers/promises';
import { guardAgent } from '@teamfuse/adapter-ai-sdk';
import { Breaker } from '@teamfuse/core';
import { isStepCount, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

const STEPS = 10;
const ROUNDS = 40;
const RUNS = 10;
const usage = {
  inputTokens: { total: 90, noCache: 90, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 9, text: 9, reasoning: 0 },
};

let call = 0;
const look = tool({
  inputSchema: z.object({ at: z.number() }),
  execute: async ({ at }) => `bird ${at}`,
});

function agent() {
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      model.doGenerateCalls.length = 0;
      const input = JSON.stringify({ at: call });
      return {
        content: [{ type: 'tool-call', toolCallId: `${call++}`, toolName: 'look', input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
  return new ToolLoopAgent({ model, tools: { look }, stopWhen: isStepCount(STEPS) });
}

const plain = agent();
const guarded = agent();
guardAgent(guarded, new Breaker({ reaction: 'observe' }), { judge: false });

async function microsPerStep(one) {
  const began = process.cpuUsage();
  for (let run = 0; run < RUNS; run++) await one.generate({ prompt: 'Look.' });
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
    await Promise.all(Array.from({ length: 100 }, () => guarded.generate({ prompt: 'Look.' })));
  }
  // What was forgotten is let go of in later turns of the event loop.
  for (let turn = 0; turn < 5; turn++) {
    await setTimeout(20);
    globalThis.gc?.();
  }
  return process.memoryUsage().heapUsed / 1e6;
}
const before = await megabytesAfter(1000);
const after = await megabytesAfter(1000);
console.log(`heap: ${before.toFixed(1)} MB after 1,000 runs, ${after.toFixed(1)} MB after 2,000`);
