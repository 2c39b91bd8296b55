import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Client } from '../../wire/test/support/agents.ts';
import { ModelEndpoint } from '../../wire/test/support/model-endpoint.ts';
import { WAYS } from './support/guarded-client.ts';
import { OPENAI_MODEL } from './support/sdk.ts';

const TASK = 'When is high tide?';
const TIDE = z.object({ hour: z.number(), minute: z.number() });

async function openai({ baseURL, fetch }: Client) {
  const { OpenAI } = await import('openai');
  return new OpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch });
}

const asked = { model: OPENAI_MODEL, messages: [{ role: 'user' as const, content: TASK }] };

/** What each SDK makes of an answer that is an object. */
const PARSED: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'parse() of openai': async (client) => {
    const { zodResponseFormat } = await import('openai/helpers/zod');
    const { choices } = await (await openai(client)).chat.completions.parse({
      ...asked,
      response_format: zodResponseFormat(TIDE, 'tide'),
    });
    return choices[0]?.message.parsed;
  },
  'Output.object() of the AI SDK': async ({ baseURL, fetch }) => {
    const [{ generateText, Output }, { createOpenAI }] = await Promise.all([
      import('ai'),
      import('@ai-sdk/openai'),
    ]);
    const model = createOpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch })(OPENAI_MODEL);
    const output = Output.object({ schema: TIDE });
    return (await generateText({ model, prompt: TASK, output })).output;
  },
  'outputType of OpenAI Agents': async (client) => {
    const agents = await import('@openai/agents');
    const modelProvider = new agents.OpenAIProvider({ openAIClient: await openai(client) });
    const runner = new agents.Runner({ modelProvider, tracingDisabled: true });
    const clerk = new agents.Agent({ name: 'clerk', model: OPENAI_MODEL, outputType: TIDE });
    return (await runner.run(clerk, TASK)).finalOutput;
  },
  'withStructuredOutput() of LangChain': async ({ baseURL, fetch }) => {
    const { ChatOpenAI } = await import('@langchain/openai');
    const configuration = { baseURL: `${baseURL}/v1`, fetch };
    const model = new ChatOpenAI({ model: OPENAI_MODEL, apiKey: 'k', configuration });
    return model.withStructuredOutput(TIDE, { method: 'jsonSchema' }).invoke(TASK);
  },
};

describe.each(Object.entries(WAYS))('through %s', (_, guarded) => {
  test.each(Object.entries(PARSED))('[SDK6] %s gives the object', async (_, parsed) => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: '{"hour":6,"minute":18}' }));
    await using way = await guarded(endpoint.url);
    expect(await parsed(way.client)).toEqual({ hour: 6, minute: 18 });
    expect(way.breaker.cost.tokens).toBe(endpoint.served.input + endpoint.served.output);
  });

  test('[SDK6] withResponse() of openai gives the answer and the response', async () => {
    await using endpoint = await ModelEndpoint.start(() => ({ text: 'At 6:18.' }));
    await using way = await guarded(endpoint.url);
    const client = await openai(way.client);
    const { data, response } = await client.chat.completions.create(asked).withResponse();
    expect(data.choices[0]?.message.content).toBe('At 6:18.');
    expect(response.url).toBe(`${way.client.baseURL}/v1/chat/completions`);
  });
});
