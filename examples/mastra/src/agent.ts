import { Agent } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';

const USD_PER_TOKEN = 2e-6;
const TOKENS_PER_MESSAGE = 150;
const PAGES = 9;

/** The turns and tokens of a run. */
export interface Taken {
  turns: number;
  tokens: number;
}

/** An agent that looks orders up: one page after another, or the same page again and again. */
export function clerk(isLooping: boolean) {
  const taken: Taken = { turns: 0, tokens: 0 };
  const agent = new Agent({
    id: 'clerk',
    name: 'clerk',
    instructions: 'Read all orders.',
    model: modelOf(isLooping, taken) as never,
    tools: { orders },
  });
  return { agent, taken };
}

const orders = createTool({
  id: 'orders',
  description: 'One page of orders.',
  inputSchema: z.object({ page: z.number() }),
  execute: async ({ page }) => `page ${page} of ${PAGES}: orders ${page * 10} to ${page * 10 + 9}`,
});

/** Says what a run took. */
export function bill({ turns, tokens }: Taken): string {
  return `${turns} turns, ${tokens} tokens, $${(tokens * USD_PER_TOKEN).toFixed(4)}`;
}

/** A model without a network, whose prompt grows as those of real models do. */
function modelOf(isLooping: boolean, taken: Taken) {
  return {
    specificationVersion: 'v2',
    provider: 'offline',
    modelId: 'offline',
    supportedUrls: {},
    doGenerate: async ({ prompt }: { prompt: readonly object[] }) => {
      const page = Math.floor(prompt.length / 2);
      const isDone = !isLooping && page > PAGES;
      const inputTokens = prompt.length * TOKENS_PER_MESSAGE;
      taken.turns++;
      taken.tokens += inputTokens + 20;
      const input = JSON.stringify({ page: isLooping ? 1 : page });
      return {
        content: isDone
          ? [{ type: 'text', text: `All ${PAGES} pages are read.` }]
          : [{ type: 'tool-call', toolCallId: `call-${taken.turns}`, toolName: 'orders', input }],
        finishReason: isDone ? 'stop' : 'tool-calls',
        usage: { inputTokens, outputTokens: 20, totalTokens: inputTokens + 20 },
        warnings: [],
      };
    },
  };
}
