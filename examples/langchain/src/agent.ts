import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { createAgent, fakeModel, tool } from 'langchain';
import { z } from 'zod';

const USD_PER_TOKEN = 2e-6;
const TOKENS_PER_MESSAGE = 150;
const TOKENS_PER_ANSWER = 20;
const PAGES = 9;
/** More than any run here asks for. */
const ANSWERS = 200;

/** The turns and tokens of a run. */
export interface Taken {
  turns: number;
  tokens: number;
}

/** An agent that looks orders up: one page after another, or the same page again and again. */
export function clerk(isLooping: boolean) {
  const taken: Taken = { turns: 0, tokens: 0 };
  const model = fakeModel();
  for (let at = 0; at < ANSWERS; at++) {
    model.respond((messages) => answer(messages, isLooping, taken));
  }
  return { agent: createAgent({ name: 'clerk', model, tools: [orders] }), taken };
}

const orders = tool(
  ({ page }) => `page ${page} of ${PAGES}: orders ${page * 10} to ${page * 10 + 9}`,
  {
    name: 'orders',
    description: 'One page of orders.',
    schema: z.object({ page: z.number() }),
  },
);

/** Says what a run took. */
export function bill({ turns, tokens }: Taken): string {
  return `${turns} turns, ${tokens} tokens, $${(tokens * USD_PER_TOKEN).toFixed(4)}`;
}

/** The answer of a model without a network, whose prompt grows as those of real models do. */
function answer(messages: readonly BaseMessage[], isLooping: boolean, taken: Taken): AIMessage {
  const page = Math.ceil(messages.length / 2);
  const input_tokens = messages.length * TOKENS_PER_MESSAGE;
  const total_tokens = input_tokens + TOKENS_PER_ANSWER;
  taken.turns++;
  taken.tokens += total_tokens;
  const usage_metadata = { input_tokens, output_tokens: TOKENS_PER_ANSWER, total_tokens };
  if (!isLooping && page > PAGES) {
    return Object.assign(new AIMessage(`All ${PAGES} pages are read.`), { usage_metadata });
  }
  const call = { id: `call-${taken.turns}`, name: 'orders', args: { page: isLooping ? 1 : page } };
  const asking = new AIMessage({ content: '', tool_calls: [call] });
  return Object.assign(asking, { usage_metadata });
}
