import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenAIChatCompletionClient } from '../../src/index.ts';

/** A model behind a real HTTP server, and how to stop it. */
export interface UsageServer extends AsyncDisposable {
  readonly client: OpenAIChatCompletionClient;
  /** How many requests came in. */
  readonly requests: number;
}

/** A server that answers every call and reports this as its usage, whatever it is. */
export async function reporting(usage: unknown, model = 'gpt-4o'): Promise<UsageServer> {
  const message = { role: 'assistant', content: 'Done.' };
  const body = JSON.stringify({
    id: 'one',
    object: 'chat.completion',
    created: 0,
    model: 'gpt-4o',
    choices: [{ index: 0, finish_reason: 'stop', message }],
    ...(usage !== undefined && { usage }),
  });
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    client: new OpenAIChatCompletionClient({
      model,
      baseURL: `http://127.0.0.1:${port}/v1`,
      apiKey: 'none',
      maxRetries: 0,
    }),
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Reports that no budget can go by. */
export const UNREADABLE: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['0/0', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ['text', { prompt_tokens: '4000', completion_tokens: '4000' }],
  ['less than nothing', { prompt_tokens: -1, completion_tokens: -1 }],
  ['a negative answer', { prompt_tokens: 4, completion_tokens: -4000 }],
  ['fractions', { prompt_tokens: 1.5, completion_tokens: 1.5 }],
  ['half of it', { prompt_tokens: 1 }],
  ['a list', [4000, 4000]],
];
