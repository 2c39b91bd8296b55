import { createServer } from 'node:http';
import { inspect } from 'node:util';
import { KEY } from './endpoints.js';

/** How long a call may take whose server never gives an answer. */
export const DEADLINE_MS = 300;
/** The others need no deadline, so that a busy machine does not change their error. */
const AMPLE_MS = 10_000;
const MAX_BYTES = 200_000;

/** Calls a model behind `endpoint` and tells the error, how long it took, and everything that error would print. */
export async function callModel(Client, endpoint, { timeoutMs, signal } = {}) {
  const server = createServer(endpoint.serve);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const client = new Client({
    model: 'gpt-4o',
    baseURL: `http://127.0.0.1:${server.address().port}/v1`,
    apiKey: KEY,
    timeoutMs: timeoutMs ?? (endpoint.code === 'TIMEOUT' ? DEADLINE_MS : AMPLE_MS),
    maxRetries: endpoint.maxRetries ?? 2,
    maxResponseBytes: MAX_BYTES,
  });
  const start = performance.now();
  try {
    const result = await ask(client, endpoint, signal);
    return { error: undefined, printed: inspect(result), ms: performance.now() - start };
  } catch (error) {
    const ms = performance.now() - start;
    return { error, printed: inspect(error, { depth: 20, showHidden: true }), ms };
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function ask(client, { stream }, signal) {
  const messages = [{ type: 'UserMessage', content: 'hello', source: 'user' }];
  if (!stream) return client.create(messages, { signal });
  let last;
  for await (const item of client.createStream(messages, { signal })) last = item;
  return last;
}
