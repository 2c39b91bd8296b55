// What a guard adds to a step of an agent whose model answers at once, and whether memory stays flat.
// Run: node --expose-gc packages/adapter-openai-agents/bench/per-step.js, after `npm run build`.
import { Agent, Runner, tool, Usage } from '@openai/agents-core';
import { guardRunner } from '@teamfuse/adapter-openai-agents';
import { Breaker } from '@teamfuse/core';
import { z } from 'zod';

const STEPS = 10;
const ROUNDS = 40;
const RUNS = 10;

let call = 0;
const look = tool({
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
const agent = new Agent({ name: 'watcher', tools: [look] });
const plain = new Runner({ modelProvider: provider, tracingDisabled: true });
const guarded = new Runner({ modelProvider: provider, tracingDisabled: true });
guardRunner(guarded, new Breaker({ reaction: 'observe' }), { judge: false });

const taken = (runner) => runner.run(agent, 'Look.', { maxTurns: STEPS + 1 });

async function microsPerStep(runner) {
  const began = process.hrtime.bigint();
  for (let run = 0; run < RUNS; run++) await taken(runner);
  return Number(process.hrtime.bigint() - began) / 1000 / RUNS / STEPS;
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
    await Promise.all(Array.from({ length: 100 }, () => taken(guarded)));
    // What a job has looked at through a weak reference is kept until the job is over.
    await new Promise(setImmediate);
  }
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}
const before = await megabytesAfter(1000);
const after = await megabytesAfter(1000);
console.log(
  `heap: ${before.toFixed(1)} MB after 1,000 runs more, ${after.toFixed(1)} MB after 2,000`,
);
