import { MAX_ROUNDS, OPENAI_MODEL, type SdkAgent, SYSTEM } from './sdk.ts';

const agent =
  (api: 'chat_completions' | 'responses', stream: boolean): SdkAgent =>
  async ({ baseURL, fetch }, { task, search, signal }) => {
    const [agents, { OpenAI }, { z }] = await Promise.all([
      import('@openai/agents'),
      import('openai'),
      import('zod'),
    ]);
    agents.setTracingDisabled(true);
    agents.setOpenAIAPI(api);
    agents.setDefaultOpenAIClient(new OpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch }));
    const parameters = z.object({ query: z.string(), page: z.number().nullish() });
    const tools = [
      agents.tool({
        name: 'search',
        description: 'Searches.',
        parameters,
        execute: search as never,
      }),
    ];
    const clerk = new agents.Agent({
      name: 'clerk',
      instructions: SYSTEM,
      model: OPENAI_MODEL,
      tools,
    });
    const runner = new agents.Runner({ modelProvider: new agents.OpenAIProvider() });
    const options = { maxTurns: MAX_ROUNDS, ...(signal && { signal }) };
    if (!stream) return String((await runner.run(clerk, task, options)).finalOutput);
    const run = await runner.run(clerk, task, { ...options, stream: true });
    for await (const _ of run);
    await run.completed;
    signal?.throwIfAborted();
    return String(run.finalOutput);
  };

export const OPENAI_AGENTS: Readonly<Record<string, SdkAgent>> = {
  'OpenAI Agents, Chat Completions': agent('chat_completions', false),
  'OpenAI Agents, Chat Completions, streamed': agent('chat_completions', true),
  'OpenAI Agents, Responses': agent('responses', false),
  'OpenAI Agents, Responses, streamed': agent('responses', true),
};
