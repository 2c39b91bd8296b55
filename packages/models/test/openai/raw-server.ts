import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OpenAIChatCompletionClient } from '../../src/index.ts';

/** A client of ours and how to stop the server it talks to. */
export interface RawServer extends AsyncDisposable {
  readonly client: OpenAIChatCompletionClient;
}

/** A server that answers every request with this body, however wrong. */
export async function serving(
  body: string,
  contentType = 'application/json',
  status = 200,
): Promise<RawServer> {
  const server = createServer((_, response) => {
    response.writeHead(status, { 'content-type': contentType }).end(body);
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
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
