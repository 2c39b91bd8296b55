// What a guard adds to a step of an agent whose model answers at once, and whether memory stays flat.
// Run: npm run bench:adapters
import { guardAgent } from '@teamfuse/adapter-ai-sdk';
import { Breaker } from '@teamfuse/core';
import { isStepCount, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { timeSteps, weighRuns } from '../../adapter-kit/bench/steps.js';

const STEPS = 10;
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

const ask = (one) => () => one.generate({ prompt: 'Look.' });
const ways = {
  alone: { run: ask(plain) },
  guarded: { run: ask(guarded), beside: 'alone' },
};
await timeSteps(ways, { steps: STEPS });
await weighRuns('guarded', ask(guarded));
