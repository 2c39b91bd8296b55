import { MAX_ROUNDS, OPENAI_MODEL, type SdkAgent, SYSTEM } from './sdk.ts';

const agent =
  (isStreamed: boolean): SdkAgent =>
  async ({ baseURL, fetch }, { task, search, signal }) => {
    const [{ Agent }, { createTool }, { createOpenAI }, { z }] = await Promise.all([
      import('@mastra/core/agent'),
      import('@mastra/core/tools'),
      import('@ai-sdk/openai'),
      import('zod'),
    ]);
    const inputSchema = z.object({ query: z.string(), page: z.number().optional() });
    const clerk = new Agent({
      id: 'clerk',
      name: 'clerk',
      instructions: SYSTEM,
      model: createOpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch }).chat(OPENAI_MODEL),
      maxRetries: 2,
      tools: {
        search: createTool({
          id: 'search',
          description: 'Searches.',
          inputSchema,
          execute: async (args) => search(args as never),
        }),
      },
    });
    const options = { maxSteps: MAX_ROUNDS, ...(signal && { abortSignal: signal }) };
    if (!isStreamed) return (await clerk.generate(task, options)).text;
    const stream = await clerk.stream(task, options);
    await stream.consumeStream();
    if (stream.error !== undefined) throw stream.error;
    signal?.throwIfAborted();
    return stream.text;
  };

export const MASTRA: Readonly<Record<string, SdkAgent>> = {
  'Mastra, Chat Completions': agent(false),
  'Mastra, Chat Completions, streamed': agent(true),
};
