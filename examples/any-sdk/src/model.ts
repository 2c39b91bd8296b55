import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

const PAGES = 12;

/** A model endpoint on the loopback. `looping` asks for the first page again and again, `healthy` for each page once. */
export async function startModel(): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model, messages } = JSON.parse(await text(request));
  const results = messages.filter(({ role }: { role: string }) => role === 'tool').length;
  const page = model === 'looping' ? 1 : results + 1;
  const call = { name: 'search', arguments: JSON.stringify({ page }) };
  const tool_calls = [{ id: `call_${results}`, type: 'function', function: call }];
  const message =
    page > PAGES
      ? { role: 'assistant', content: 'High tide is at 6:18 first.' }
      : { role: 'assistant', content: null, tool_calls };
  const usage = { prompt_tokens: 20 * messages.length, completion_tokens: 10 };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ choices: [{ index: 0, message }], usage }));
}
