import { Agent, tool, Usage } from '@openai/agents';
import {
  assistantMessage,
  functionCall,
  modelResponder,
  ScriptedModel,
} from '@openai/agents-core/testing';
import { z } from 'zod';

const USD_PER_TOKEN = 2e-6;
const TOKENS_PER_ITEM = 150;
const PAGES = 9;
/** More than anybody asks for. */
const ANSWERS = 200;

/** The turns and tokens of a run. */
export interface Taken {
  turns: number;
  tokens: number;
}

/** An agent that looks orders up: one page after another, or the same page again and again. */
export function clerk({ isLooping }: { isLooping: boolean }) {
  const taken: Taken = { turns: 0, tokens: 0 };
  const agent = new Agent({ name: 'clerk', model: modelOf(isLooping, taken), tools: [orders] });
  return { agent, taken };
}

const orders = tool({
  name: 'orders',
  description: 'One page of orders.',
  parameters: z.object({ page: z.number() }),
  execute: async ({ page }) => `page ${page} of ${PAGES}: orders ${page * 10} to ${page * 10 + 9}`,
});

/** Says what a run took. */
export function bill({ turns, tokens }: Taken): string {
  return `${turns} turns, ${tokens} tokens, $${(tokens * USD_PER_TOKEN).toFixed(4)}`;
}

/** A model without a network, whose prompt grows as those of real models do. */
function modelOf(isLooping: boolean, taken: Taken): ScriptedModel {
  const answer = modelResponder(({ request: { input } }) => {
    const items = typeof input === 'string' ? 1 : input.length;
    const page = Math.ceil(items / 2);
    const isDone = !isLooping && page > PAGES;
    const inputTokens = items * TOKENS_PER_ITEM;
    taken.turns++;
    taken.tokens += inputTokens + 20;
    const callId = `call-${taken.turns}`;
    return {
      usage: new Usage({ inputTokens, outputTokens: 20, totalTokens: inputTokens + 20 }),
      output: isDone
        ? [assistantMessage(`All ${PAGES} pages are read.`)]
        : [functionCall('orders', { page: isLooping ? 1 : page }, { callId })],
    };
  });
  return new ScriptedModel(Array.from({ length: ANSWERS }, () => answer));
}
