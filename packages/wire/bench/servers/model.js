// A model that answers at once with what the request asks for, whole or as a stream of a few events.
import { createServer } from 'node:http';

const PIECES = 8;
const HEAD = 400;

/** Stands at the beginning of every request. */
const ANSWER = /"answer":"([^"]*)"/;
const STREAMED = '"stream":true';

const server = createServer((request, response) => {
  let head = '';
  request.on('data', (chunk) => {
    head ||= chunk.toString('latin1', 0, HEAD);
  });
  request.on('end', () => {
    const [, text] = ANSWER.exec(head);
    if (head.includes(STREAMED)) stream(response, text);
    else whole(response, text);
  });
});

function whole(response, content) {
  const message = { role: 'assistant', content };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const usage = { prompt_tokens: 500, completion_tokens: 20, total_tokens: 520 };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices, usage }));
}

function stream(response, text) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const length = Math.ceil(text.length / PIECES);
  for (let at = 0; at < text.length; at += length) {
    const delta = { content: text.slice(at, at + length) };
    send(response, { choices: [{ index: 0, delta, finish_reason: null }] });
  }
  send(response, { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send(response, { choices: [], usage: { prompt_tokens: 500, completion_tokens: 20 } });
  response.end('data: [DONE]\n\n');
}

function send(response, data) {
  response.write(`data: ${JSON.stringify(data)}\n\n`);
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('disconnect', () => process.exit());
