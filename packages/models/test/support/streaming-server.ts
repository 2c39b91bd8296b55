import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { BytePairCounter } from '../../../tokens/src/index.ts';
import { OpenAIChatCompletionClient } from '../../src/index.ts';

/** Words that are a token each, with the space before them. */
const WORDS = [' the', ' and', ' for', ' you', ' are', ' was', ' not', ' but', ' all', ' can'];

/** No order of words that comes again: an answer that repeats itself is cut off. */
function wordAt(i: number): string {
  return WORDS[(Math.imul(i, 0x9e3779b1) >>> 16) % WORDS.length] as string;
}

/** How an answer goes on after its tokens: it ends, its connection breaks, or nothing comes any more. */
export type Rest = 'ends' | 'breaks' | 'hangs';

/** A model that streams, what it has served so far, and how to stop it. */
export interface StreamingServer extends AsyncDisposable {
  readonly client: OpenAIChatCompletionClient;
  /** The tokens of all prompts, and of the answers as far as they were sent. */
  readonly served: { readonly inputTokens: number; readonly outputTokens: number };
}

/**
 * A server on the loopback that speaks OpenAI's protocol. `answer` says how many tokens of the next answer it sends, one at a
 * time, and what happens then. Answers that end have usage only if `hasUsage`.
 */
export async function streaming(
  answer: () => readonly [tokens: number, rest: Rest],
  hasUsage = true,
): Promise<StreamingServer> {
  const counter = await BytePairCounter.load('o200k_base');
  const served = { inputTokens: 0, outputTokens: 0 };
  const server = createServer(async (request, response) => {
    const { messages } = JSON.parse(await text(request)) as { messages: { content: string }[] };
    const inputTokens = counter.countMessages(messages);
    const [tokens, rest] = answer();
    served.inputTokens += inputTokens;
    served.outputTokens += tokens;
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let i = 0; i < tokens; i++) send(response, { content: wordAt(i) });
    if (rest === 'breaks') response.write('\n', () => response.socket?.destroy());
    if (rest !== 'ends') return;
    send(response, {}, 'stop');
    const usage = { prompt_tokens: inputTokens, completion_tokens: tokens };
    if (hasUsage) write(response, { choices: [], usage });
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    client: new OpenAIChatCompletionClient({
      model: 'gpt-4o',
      baseURL: `http://127.0.0.1:${port}/v1`,
      apiKey: 'none',
      maxRetries: 0,
    }),
    served,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, delta: object, reason: string | null = null): void {
  write(response, { choices: [{ index: 0, delta, finish_reason: reason }] });
}

function write(response: ServerResponse, fields: object): void {
  const chunk = {
    id: '1',
    object: 'chat.completion.chunk',
    created: 0,
    model: 'gpt-4o',
    ...fields,
  };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}
