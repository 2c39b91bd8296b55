// What any proxy costs: it sends on what comes, and nothing else.
import { listen } from './listen.js';

const [upstream] = process.argv.slice(2);
listen(async (request) => {
  const { pathname, search } = new URL(request.url);
  const headers = new Headers(request.headers);
  for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
  const { method, body, signal } = request;
  const answer = await fetch(`${upstream}${pathname}${search}`, {
    method,
    headers,
    body,
    signal,
    duplex: 'half',
  });
  return new Response(answer.body, answer);
});
