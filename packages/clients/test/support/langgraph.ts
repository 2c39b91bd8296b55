import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import type { Client } from '../../../wire/test/support/agents.ts';
import { ANTHROPIC_MODEL, MAX_ROUNDS, OPENAI_MODEL, type SdkAgent, SYSTEM } from './sdk.ts';

type ModelOf = (client: Client) => Promise<BaseChatModel>;

const openai: ModelOf = async ({ baseURL, fetch }) => {
  const { ChatOpenAI } = await import('@langchain/openai');
  const configuration = { baseURL: `${baseURL}/v1`, fetch };
  return new ChatOpenAI({ model: OPENAI_MODEL, apiKey: 'k', configuration });
};

const anthropic: ModelOf = async ({ baseURL, fetch }) => {
  const { ChatAnthropic } = await import('@langchain/anthropic');
  const clientOptions = { baseURL, fetch };
  return new ChatAnthropic({ model: ANTHROPIC_MODEL, apiKey: 'k', clientOptions });
};

const agent =
  (modelOf: ModelOf, isStreamed: boolean): SdkAgent =>
  async (client, { task, search, signal }) => {
    const [{ createReactAgent }, { tool }, { z }] = await Promise.all([
      import('@langchain/langgraph/prebuilt'),
      import('@langchain/core/tools'),
      import('zod'),
    ]);
    const schema = z.object({ query: z.string(), page: z.number().optional() });
    const tools = [
      tool(async (args) => search(args as never), {
        name: 'search',
        description: 'Searches.',
        schema,
      }),
    ];
    const llm = await modelOf(client);
    const graph = createReactAgent({ llm, tools, prompt: SYSTEM });
    const options = { recursionLimit: 2 * MAX_ROUNDS, ...(signal && { signal }) };
    const asked = { messages: [{ role: 'user', content: task }] };
    if (!isStreamed) return (await graph.invoke(asked, options)).messages.at(-1)?.text ?? '';
    const texts = new Map<string | undefined, string>();
    for await (const [{ id, text }] of await graph.stream(asked, {
      ...options,
      streamMode: 'messages',
    })) {
      texts.set(id, (texts.get(id) ?? '') + text);
    }
    return [...texts.values()].at(-1) ?? '';
  };

export const LANGGRAPH: Readonly<Record<string, SdkAgent>> = {
  'LangGraph, Chat Completions': agent(openai, false),
  'LangGraph, Chat Completions, streamed': agent(openai, true),
  'LangGraph, Messages': agent(anthropic, false),
  'LangGraph, Messages, streamed': agent(anthropic, true),
};
