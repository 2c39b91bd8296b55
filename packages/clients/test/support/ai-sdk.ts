import type { LanguageModel } from 'ai';
import type { Client } from '../../../wire/test/support/agents.ts';
import { ANTHROPIC_MODEL, MAX_ROUNDS, OPENAI_MODEL, type SdkAgent, SYSTEM } from './sdk.ts';

// It knows only some of the models, and says so with each call.
globalThis.AI_SDK_LOG_WARNINGS = false;

type ModelOf = (client: Client) => Promise<LanguageModel>;

const openai =
  (api: 'chat' | 'responses'): ModelOf =>
  async ({ baseURL, fetch }) => {
    const { createOpenAI } = await import('@ai-sdk/openai');
    return createOpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch })[api](OPENAI_MODEL);
  };

const anthropic: ModelOf = async ({ baseURL, fetch }) => {
  const { createAnthropic } = await import('@ai-sdk/anthropic');
  return createAnthropic({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch })(ANTHROPIC_MODEL);
};

const agent =
  (modelOf: ModelOf, isStreamed: boolean): SdkAgent =>
  async (client, { task, search, signal }) => {
    const [{ generateText, stepCountIs, streamText, tool }, { z }] = await Promise.all([
      import('ai'),
      import('zod'),
    ]);
    const inputSchema = z.object({ query: z.string(), page: z.number().optional() });
    const asked = {
      model: await modelOf(client),
      system: SYSTEM,
      prompt: task,
      tools: { search: tool({ inputSchema, execute: async (args) => search(args as never) }) },
      stopWhen: stepCountIs(MAX_ROUNDS),
      ...(signal && { abortSignal: signal }),
    };
    if (!isStreamed) return (await generateText(asked)).text;
    let failure: unknown;
    const stream = streamText({
      ...asked,
      onError: ({ error }) => {
        failure = error;
      },
    });
    await stream.consumeStream();
    if (failure !== undefined) throw failure;
    signal?.throwIfAborted();
    return stream.text;
  };

export const AI_SDK: Readonly<Record<string, SdkAgent>> = {
  'the AI SDK, Chat Completions': agent(openai('chat'), false),
  'the AI SDK, Chat Completions, streamed': agent(openai('chat'), true),
  'the AI SDK, Responses': agent(openai('responses'), false),
  'the AI SDK, Responses, streamed': agent(openai('responses'), true),
  'the AI SDK, Messages': agent(anthropic, false),
  'the AI SDK, Messages, streamed': agent(anthropic, true),
};
