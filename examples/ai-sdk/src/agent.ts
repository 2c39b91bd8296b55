import { isStepCount, ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
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
export function clerk({ isLooping, cap }: { isLooping: boolean; cap: number }) {
  const taken: Taken = { turns: 0, tokens: 0 };
  const agent = new ToolLoopAgent({
    id: 'clerk',
    model: modelOf(isLooping, taken),
    tools: { orders },
    stopWhen: isStepCount(cap),
  });
  return { agent, taken };
}

const orders = tool({
  description: 'One page of orders.',
  inputSchema: z.object({ page: z.number() }),
  execute: async ({ page }) => `page ${page} of ${PAGES}: orders ${page * 10} to ${page * 10 + 9}`,
});

/** Says what a run took. */
export function bill({ turns, tokens }: Taken): string {
  return `${turns} turns, ${tokens} tokens, $${(tokens * USD_PER_TOKEN).toFixed(4)}`;
}

/** A model without a network, whose prompt grows as those of real models do. */
function modelOf(isLooping: boolean, taken: Taken): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    modelId: 'offline',
    doGenerate: async ({ prompt }) => {
      const page = Math.ceil(prompt.length / 2);
      const isDone = !isLooping && page > PAGES;
      const inputTokens = prompt.length * TOKENS_PER_MESSAGE;
      taken.turns++;
      taken.tokens += inputTokens + 20;
      const input = JSON.stringify({ page: isLooping ? 1 : page });
      return {
        content: isDone
          ? [{ type: 'text', text: `All ${PAGES} pages are read.` }]
          : [{ type: 'tool-call', toolCallId: `call-${taken.turns}`, toolName: 'orders', input }],
        finishReason: { unified: isDone ? 'stop' : 'tool-calls', raw: undefined },
        usage: {
          inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
          outputTokens: { total: 20, text: 20, reasoning: 0 },
        },
        warnings: [],
      };
    },
  });
}
