// What any proxy costs that is written with the library of the gateway: it sends on what comes, and nothing else.
import { Hono } from 'hono';
import { listen } from './listen.js';

const [upstream] = process.argv.slice(2);
const app = new Hono();
app.all('*', async ({ req }) => {
  const { pathname, search } = new URL(req.url);
  const headers = new Headers(req.raw.headers);
  for (const name of ['host', 'connection', 'content-length']) headers.delete(name);
  const { method, body, signal } = req.raw;
  const answer = await fetch(`${upstream}${pathname}${search}`, {
    method,
    headers,
    body,
    signal,
    duplex: 'half',
  });
  return new Response(answer.body, answer);
});
listen(app.fetch);
