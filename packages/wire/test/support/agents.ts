import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import type { Agent } from './agent.ts';
import { GEMINI_AGENTS } from './gemini-agents.ts';

export type { Client } from './agent.ts';

const MODEL = 'gpt-4o-mini';
const SYSTEM = 'You look things up.';
const TOOL = { type: 'object', properties: { query: { type: 'string' } } } as const;
const MAX_ROUNDS = 30;

const chat =
  (stream: boolean): Agent =>
  async ({ baseURL, fetch }, task, tool) => {
    const openai = new OpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch });
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: task },
    ];
    const tools: OpenAI.ChatCompletionTool[] = [
      { type: 'function', function: { name: 'search', parameters: { ...TOOL } } },
    ];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const message = stream
        ? (
            await openai.chat.completions
              .stream({ model: MODEL, messages, tools })
              .finalChatCompletion()
          ).choices[0]?.message
        : (await openai.chat.completions.create({ model: MODEL, messages, tools })).choices[0]
            ?.message;
      if (message === undefined) throw new Error('no answer');
      messages.push(message);
      const calls = message.tool_calls ?? [];
      if (calls.length === 0) return message.content ?? '';
      for (const call of calls) {
        const args = 'function' in call ? JSON.parse(call.function.arguments) : {};
        messages.push({ role: 'tool', tool_call_id: call.id, content: tool(args) });
      }
    }
    return 'ran out of rounds';
  };

const responses =
  (stream: boolean, isStored: boolean): Agent =>
  async ({ baseURL, fetch }, task, tool) => {
    const openai = new OpenAI({ apiKey: 'k', baseURL: `${baseURL}/v1`, fetch });
    let input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: task }];
    let previous: string | undefined;
    const tools: OpenAI.Responses.Tool[] = [
      { type: 'function', name: 'search', parameters: { ...TOOL }, strict: false },
    ];
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const asked = {
        model: MODEL,
        instructions: SYSTEM,
        input,
        tools,
        ...(isStored && previous !== undefined && { previous_response_id: previous }),
      };
      const response = stream
        ? await openai.responses.stream(asked).finalResponse()
        : await openai.responses.create(asked);
      previous = response.id;
      const outputs: OpenAI.Responses.ResponseInputItem[] = [];
      for (const item of response.output) {
        if (item.type !== 'function_call') continue;
        const output = tool(JSON.parse(item.arguments));
        outputs.push({ type: 'function_call_output', call_id: item.call_id, output });
      }
      if (outputs.length === 0) return response.output_text;
      input = isStored ? outputs : [...input, ...(response.output as typeof input), ...outputs];
    }
    return 'ran out of rounds';
  };

const anthropic =
  (stream: boolean): Agent =>
  async ({ baseURL, fetch }, task, tool) => {
    const client = new Anthropic({ apiKey: 'k', baseURL, fetch });
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }];
    const asked = {
      model: 'claude-3-5-haiku-latest',
      max_tokens: 500,
      system: SYSTEM,
      tools: [{ name: 'search', input_schema: { ...TOOL } }],
    };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const message = stream
        ? await client.messages.stream({ ...asked, messages: [...messages] }).finalMessage()
        : await client.messages.create({ ...asked, messages });
      messages.push({ role: 'assistant', content: message.content });
      const results: Anthropic.ToolResultBlockParam[] = [];
      for (const block of message.content) {
        if (block.type !== 'tool_use') continue;
        results.push({ type: 'tool_result', tool_use_id: block.id, content: tool(block.input) });
      }
      if (results.length === 0) {
        return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      }
      messages.push({ role: 'user', content: results });
    }
    return 'ran out of rounds';
  };

/** The agents, by the API that they use and how. */
export const AGENTS: Readonly<Record<string, Agent>> = {
  'Chat Completions': chat(false),
  'Chat Completions, streamed': chat(true),
  Responses: responses(false, false),
  'Responses, streamed': responses(true, false),
  'Responses with a stored history': responses(false, true),
  Messages: anthropic(false),
  'Messages, streamed': anthropic(true),
  ...GEMINI_AGENTS,
};
