import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, test } from 'vitest';
import { guardFetch } from '../src/index.ts';

const ROUNDS = 8;
const URL = 'https://api.example/v1/messages';

/** What an answer holds in which the server has called a tool itself. */
type Blocks = (round: number) => readonly Readonly<Record<string, unknown>>[];

const called = (type: string, resultType: string, result: (round: number) => unknown): Blocks => {
  return (round) => [
    { type, id: `call_${round}`, name: 'insert', input: { row: round } },
    { type: resultType, tool_use_id: `call_${round}`, content: result(round) },
    { type: 'text', text: `Row ${round} is in the table now, as you can see for yourself.` },
  ];
};

const TOOLS: Readonly<Record<string, Blocks>> = {
  'of the provider': called('server_tool_use', 'web_search_tool_result', (round) => [
    { type: 'web_search_result', url: `https://example.com/tides/${round}` },
  ]),
  'of a server of MCP': called('mcp_tool_use', 'mcp_tool_result', () => [
    { type: 'text', text: 'ok' },
  ]),
};

describe.each(Object.entries(TOOLS))('tools %s, called within answers', (_, blocks) => {
  test.each([false, true])(
    '[WIRE3] are told with what they were called with (streamed: %s)',
    async (isStreamed) => {
      const { calls } = await talk(blocks, isStreamed);
      expect(calls).toMatchObject(
        Array.from({ length: ROUNDS - 1 }, (_, row) => ({ tool: 'insert', args: { row } })),
      );
    },
  );

  test('[WIRE7] keep a streamed talk in one conversation', async () => {
    const { conversations } = await talk(blocks, true);
    expect(conversations.size).toBe(1);
  });
});

test('[WIRE3] calls of OpenAI at a server of MCP are told with what they came to', async () => {
  const breaker = new Breaker();
  const calls: Signal[] = [];
  breaker.on('signal', ({ signal }) => {
    if (signal.kind === 'tool-call') calls.push(signal);
  });
  const called = (id: string, came: object) => {
    return { type: 'mcp_call', id, name: 'insert', arguments: `{"row":"${id}"}`, ...came };
  };
  const output = [called('a', { output: 'ok', error: null }), called('b', { error: 'no table' })];
  const answer = { id: 'resp_1', status: 'completed', output, usage };
  const fetch = guardFetch(breaker, { fetch: async () => Response.json(answer) });
  for (const previous_response_id of [undefined, 'resp_1']) {
    const asked = { model: 'gpt-4o', input: 'Insert the rows.', previous_response_id };
    await fetch('https://api.example/v1/responses', {
      method: 'POST',
      body: JSON.stringify(asked),
    });
  }
  expect(calls).toMatchObject([
    { tool: 'insert', args: { row: 'a' }, result: 'ok' },
    { tool: 'insert', args: { row: 'b' }, error: { message: 'no table' } },
  ]);
});

/** A user who goes on asking after each answer. */
async function talk(blocks: Blocks, isStreamed: boolean) {
  const breaker = new Breaker();
  const calls: Signal[] = [];
  const conversations = new Set<string>();
  breaker.on('signal', ({ conversation, signal }) => {
    conversations.add(conversation);
    if (signal.kind === 'tool-call') calls.push(signal);
  });
  let round = 0;
  const endpoint = async () => (isStreamed ? streamed : whole)(blocks(round));
  const fetch = guardFetch(breaker, { fetch: endpoint });
  const messages: object[] = [{ role: 'user', content: 'Insert all rows of the list.' }];
  for (; round < ROUNDS; round++) {
    const asked = { model: 'claude-sonnet-4-5', max_tokens: 9, stream: isStreamed, messages };
    const response = await fetch(URL, { method: 'POST', body: JSON.stringify(asked) });
    expect(response.status).toBe(200);
    await response.text();
    messages.push({ role: 'assistant', content: blocks(round) });
    messages.push({ role: 'user', content: `Go on after row ${round}.` });
  }
  return { calls, conversations };
}

const usage = { input_tokens: 9, output_tokens: 3 };

function whole(content: ReturnType<Blocks>): Response {
  return Response.json({ role: 'assistant', content, stop_reason: 'end_turn', usage });
}

/** The input of a call comes in pieces. */
function streamed(content: ReturnType<Blocks>): Response {
  const events = [
    { type: 'message_start', message: { usage } },
    ...content.flatMap(({ input, ...block }, index) => [
      {
        type: 'content_block_start',
        index,
        content_block: input === undefined ? block : { ...block, input: {} },
      },
      ...(input === undefined ? [] : piecesOf(input)).map((partial_json) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'input_json_delta', partial_json },
      })),
    ]),
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
  ];
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

function piecesOf(input: unknown): readonly string[] {
  return JSON.stringify(input).match(/.{1,4}/g) ?? [];
}
