import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { codeAssist, gemini } from './gemini-api.ts';
import type { Said } from './said.ts';

export type { Said } from './said.ts';

/** A request as the endpoint got it. */
export interface Got {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  // biome-ignore lint/suspicious/noExplicitAny: a body of any of the APIs
  readonly body: any;
}

/** A model server on the loopback interface that speaks all APIs, whole and streamed, and counts what it serves. */
export class ModelEndpoint implements AsyncDisposable {
  readonly got: Got[] = [];
  readonly url: string;
  readonly #server: ReturnType<typeof createServer>;
  served = { input: 0, output: 0 };
  /** How many clients left before their answer was whole. */
  left = 0;

  private constructor(server: ReturnType<typeof createServer>) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  /** `script` says what the model says to the request with this index. */
  static async start(script: (index: number, got: Got) => Said): Promise<ModelEndpoint> {
    const server = createServer((request, response) => {
      void endpoint.#answer(request, response, script);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = new ModelEndpoint(server);
    return endpoint;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    script: (index: number, got: Got) => Said,
  ): Promise<void> {
    const sent = await buffer(request);
    const text = String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent);
    const body = JSON.parse(text || 'null');
    const got = { path: request.url ?? '', headers: request.headers, body };
    const said = script(this.got.length, got);
    this.got.push(got);
    const usage = { input: Math.ceil(text.length / 4), output: JSON.stringify(said).length };
    this.served.input += usage.input;
    this.served.output += usage.output;
    if (said.status !== undefined) {
      const headers = {
        'content-type': 'application/json',
        'x-request-id': 'r1',
        'retry-after-ms': '1',
      };
      const { problem = '{"error":{"message":"overloaded"}}' } = said;
      response.writeHead(said.status, headers).end(problem);
      return;
    }
    const [path = '', query = ''] = got.path.split('?');
    const api = APIS.find(({ end }) => end.test(path)) ?? APIS[0];
    if (!body?.stream && !path.includes(':stream')) {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(api.whole(said, usage)));
      return;
    }
    const isList = path.includes(':stream') && !query.includes('alt=sse');
    response.setHeader('content-type', isList ? 'application/json' : 'text/event-stream');
    const events: readonly Event[] = api.events(
      said,
      usage,
      body.stream_options?.include_usage === true,
    );
    response.once('close', () => {
      if (!response.writableFinished) this.left++;
    });
    for (const [i, { event, data }] of events.entries()) {
      if (i === said.stopsAfter) return;
      if (i === said.diesAfter) {
        response.destroy();
        return;
      }
      const name = event === undefined ? '' : `event: ${event}\n`;
      const json = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(isList ? `${i === 0 ? '[' : ',\r\n'}${json}` : `${name}data: ${json}\n\n`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end(isList ? ']' : '');
  }
}

/** A text in pieces, if it is long. */
function piecesOf(text: string): readonly string[] {
  return text.length <= 1_000 ? [text] : (text.match(/.{1,64}/gs) ?? []);
}

interface Tokens {
  readonly input: number;
  readonly output: number;
}

interface Event {
  readonly event?: string;
  readonly data: object | string;
}

const MODEL = 'gpt-4o-mini';

const APIS = [
  {
    end: /\/chat\/completions$/,
    whole: ({ text = '', calls = [] }: Said, usage: Tokens) => ({
      id: `chatcmpl-${crypto.randomUUID()}`,
      object: 'chat.completion',
      created: 1,
      model: MODEL,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text || null,
            ...(calls.length > 0 && { tool_calls: calls.map(chatCall) }),
          },
          finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        },
      ],
      usage: chatUsage(usage),
    }),
    events: (
      { text = '', calls = [] }: Said,
      usage: Tokens,
      withUsage: boolean,
    ): readonly Event[] => {
      const id = `chatcmpl-${crypto.randomUUID()}`;
      const chunk = (delta: object, finish_reason: string | null = null): Event => ({
        data: {
          id,
          object: 'chat.completion.chunk',
          created: 1,
          model: MODEL,
          choices: [{ index: 0, delta, finish_reason }],
        },
      });
      const pieces = text.match(/.{1,8}/gs) ?? [];
      return [
        chunk({ role: 'assistant', content: '' }),
        ...pieces.map((content) => chunk({ content })),
        ...calls.flatMap((call, index) => {
          const { id: callId, function: made } = chatCall(call);
          const begun = {
            index,
            id: callId,
            type: 'function',
            function: { name: made.name, arguments: '' },
          };
          return [
            chunk({ tool_calls: [begun] }),
            ...(made.arguments.match(/.{1,5}/gs) ?? []).map((piece) =>
              chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
            ),
          ];
        }),
        chunk({}, calls.length > 0 ? 'tool_calls' : 'stop'),
        ...(withUsage
          ? [
              {
                data: {
                  id,
                  object: 'chat.completion.chunk',
                  created: 1,
                  model: MODEL,
                  choices: [],
                  usage: chatUsage(usage),
                },
              },
            ]
          : []),
        { data: '[DONE]' },
      ];
    },
  },
  {
    end: /\/responses$/,
    whole: (said: Said, usage: Tokens) => responseOf(said, usage, 'completed'),
    events: (said: Said, usage: Tokens): readonly Event[] => {
      const done = responseOf(said, usage, 'completed');
      const events: readonly { readonly type: string; readonly [field: string]: unknown }[] = [
        { type: 'response.created', response: { ...done, status: 'in_progress', output: [] } },
        ...done.output.flatMap((item, output_index) => [
          { type: 'response.output_item.added', output_index, item },
          ...(item.type === 'message'
            ? piecesOf(said.text ?? '').map((delta) => ({
                type: 'response.output_text.delta',
                item_id: item.id,
                output_index,
                content_index: 0,
                delta,
              }))
            : []),
          { type: 'response.output_item.done', output_index, item },
        ]),
        { type: 'response.completed', response: done },
      ];
      return events.map((data, sequence_number) => ({
        event: data.type,
        data: { ...data, sequence_number },
      }));
    },
  },
  {
    end: /\/messages$/,
    whole: ({ text, calls = [] }: Said, usage: Tokens) => ({
      id: `msg_${crypto.randomUUID()}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-3-5-haiku-latest',
      content: [
        ...(text ? [{ type: 'text', text }] : []),
        ...calls.map(({ id, tool, args }) => ({ type: 'tool_use', id, name: tool, input: args })),
      ],
      stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: usage.input, output_tokens: usage.output },
    }),
    events: ({ text, calls = [] }: Said, usage: Tokens): readonly Event[] => {
      const message = {
        id: `msg_${crypto.randomUUID()}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-3-5-haiku-latest',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: usage.input, output_tokens: 1 },
      };
      const blocks = [
        ...(text
          ? [
              {
                block: { type: 'text', text: '' },
                deltas: piecesOf(text).map((piece) => ({ type: 'text_delta', text: piece })),
              },
            ]
          : []),
        ...calls.map(({ id, tool, args }) => ({
          block: { type: 'tool_use', id, name: tool, input: {} },
          deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(args) }],
        })),
      ];
      const events: readonly { readonly type: string; readonly [field: string]: unknown }[] = [
        { type: 'message_start', message },
        ...blocks.flatMap(({ block, deltas }, index) => [
          { type: 'content_block_start', index, content_block: block },
          ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
          { type: 'content_block_stop', index },
        ]),
        {
          type: 'message_delta',
          delta: { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn', stop_sequence: null },
          usage: { output_tokens: usage.output },
        },
        { type: 'message_stop' },
      ];
      return events.map((data) => ({ event: data.type, data }));
    },
  },
  gemini,
  codeAssist,
] as const;

function chatCall({ id, tool, args }: NonNullable<Said['calls']>[number]): {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
} {
  return { id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } };
}

function chatUsage({ input, output }: Tokens): object {
  return { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
}

function responseOf({ text, calls = [] }: Said, { input, output }: Tokens, status: string) {
  return {
    id: `resp_${Math.random()}`,
    object: 'response',
    created_at: 1,
    status,
    model: MODEL,
    output: [
      ...(text
        ? [
            {
              id: 'msg_1',
              type: 'message',
              role: 'assistant',
              status,
              content: [{ type: 'output_text', text, annotations: [] }],
            },
          ]
        : []),
      ...calls.map(({ id, tool, args }) => ({
        id: `fc_${id}`,
        type: 'function_call',
        call_id: id,
        name: tool,
        arguments: JSON.stringify(args),
        status,
      })),
    ],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output,
    },
  };
}
