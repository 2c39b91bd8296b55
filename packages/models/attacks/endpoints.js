// Forty ways in which the server of a model can misbehave, and the code of the error each has to give.

/** The key the client sends; no error may contain it. */
export const KEY = 'sk-endpoints-0123456789';

const call = (fields) => ({
  id: 'c',
  type: 'function',
  function: { name: 'f', arguments: '{}' },
  ...fields,
});
const message = (fields) => ({ choices: [{ index: 0, finish_reason: 'stop', message: fields }] });

/** Each: what the server does, how it serves, the code it gives, and words the error has to contain. */
export const endpoints = [
  never('accepts the request and says nothing', () => undefined),
  never('drips its headers', (_, { socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    drip(socket, (i) => socket.write(`x-${i}: y\r\n`));
  }),
  never('drips its body', (_, response) => {
    response.writeHead(200, json).write('{');
    drip(response, () => response.write(' '));
  }),
  never('sends headers and no body', (_, response) => response.writeHead(200, json).flushHeaders()),
  never('promises more bytes than it sends', (_, response) => {
    response.writeHead(200, { ...json, 'content-length': '1000' }).write('{}');
  }),
  never('drips the body of an error', (_, response) => {
    response.writeHead(400, json).write('{');
    drip(response, () => response.write(' '));
  }),
  never(
    'drips a stream without a word',
    (_, response) => {
      response.writeHead(200, events);
      drip(response, () => response.write(': still here\n\n'));
    },
    { stream: true },
  ),
  never(
    'streams words without end',
    (_, response) => {
      response.writeHead(200, events);
      drip(response, () => response.write(chunk({ content: 'x' })));
    },
    { stream: true },
  ),
  never(
    'stops in the middle of a stream',
    (_, response) => {
      response.writeHead(200, events).write(chunk({ content: 'half' }));
    },
    { stream: true },
  ),
  never(
    'sends a whole stream and leaves it open',
    (_, response) => {
      response.writeHead(200, events).write(chunk({ content: 'x' }, { finish_reason: 'stop' }));
    },
    { stream: true },
  ),
  status('asks to come back in an hour (`retry-after`)', 429, 'RATE_LIMITED', {
    'retry-after': '3600',
  }),
  status('asks to come back in an hour (`retry-after-ms`)', 503, 'SERVER', {
    'retry-after-ms': '3600000',
  }),
  status('asks to come back in a year', 429, 'RATE_LIMITED', {
    'retry-after': new Date(Date.now() + 3e10).toUTCString(),
  }),
  never(
    'refuses one try and leaves the next one unanswered',
    everySecond((response) =>
      response.writeHead(503, { ...json, 'retry-after-ms': '20' }).end('{}'),
    ),
  ),
  status('asks for a wait that makes no sense', 429, 'RATE_LIMITED', { 'retry-after': '-1e999' }),
  {
    ...status('redirects to itself for ever', 302, 'CONNECTION', {
      location: '/v1/chat/completions',
    }),
    maxRetries: 0,
  },
  cut('closes the connection at once', ({ socket }) => socket.destroy()),
  cut('closes the connection in the body', (_, response) => {
    response.writeHead(200, json).write('{"choices":');
    setImmediate(() => response.destroy());
  }),
  cut(
    'closes the connection in a stream',
    (_, response) => {
      response.writeHead(200, events).write(chunk({ content: 'half' }));
      setImmediate(() => response.destroy());
    },
    { stream: true },
  ),
  cut('does not speak HTTP', ({ socket }) => socket.end('220 mail.example ESMTP\r\n')),
  large('sends an answer without end', (response) => response.writeHead(200, json).write('{"a":"')),
  large('sends spaces without end', (response) => response.writeHead(200, json)),
  large(
    'streams a word without end',
    (response) => response.writeHead(200, events).write('data: {"choices":[{"delta":{"content":"'),
    { stream: true },
  ),
  {
    ...large('sends an error without end', (response) => response.writeHead(400, json)),
    code: 'BAD_REQUEST',
  },
  {
    name: 'repeats the key, with escape sequences, at length',
    code: 'AUTHENTICATION',
    contains: ['[secret]'],
    serve: (request, response) => {
      const { authorization } = request.headers;
      const text = `\u001b[31m${authorization} ${KEY.slice(0, 9)}\u0000\u200b${KEY.slice(9)}\u0007\r\n`;
      response.writeHead(401, json).end(JSON.stringify({ error: { message: text.repeat(1000) } }));
    },
  },
  {
    name: 'sends a stream with an error that repeats the key',
    code: 'SERVER',
    contains: ['[secret]'],
    stream: true,
    serve: (_, response) =>
      response
        .writeHead(200, events)
        .end(`data: {"error":{"message":"\\u001b]0;${KEY}\\u0007${KEY}"}}\n\n`),
  },
  body('sends nothing', ''),
  body('sends broken JSON that contains the key', `{"choices": ${KEY}`),
  body('sends a list', []),
  body('sends `choices` as text', { choices: 'none' }, 'choices: expected a list'),
  body(
    'sends a number as content',
    message({ content: 5 }),
    'choices[0].message.content: expected text',
  ),
  body(
    'sends an object as content',
    message({ content: { text: 'x' } }),
    'message.content: expected text',
  ),
  body(
    'sends `{}` as a call',
    message({ tool_calls: [{}] }),
    "tool_calls[0].type: expected 'function'",
  ),
  body(
    'sends no arguments',
    message({ tool_calls: [call({ function: { name: 'f' } })] }),
    'arguments: expected text, received nothing',
  ),
  body(
    'sends arguments as an object',
    message({ tool_calls: [call({ function: { name: 'f', arguments: {} } })] }),
    'tool_calls[0].function.arguments: expected text, received an object',
  ),
  body(
    'calls a function without a name',
    message({ tool_calls: [call({ function: { name: '', arguments: '' } })] }),
    'name: expected the name of a function',
  ),
  body(
    'sends a call as text',
    message({ tool_calls: ['f()'] }),
    'tool_calls[0]: expected an object',
  ),
  body(
    'sends a number as the id of a call',
    message({ tool_calls: [call({ id: 7 })] }),
    'tool_calls[0].id: expected text',
  ),
  piece('streams a number as content', { content: 5 }, 'choices[0].delta.content: expected text'),
  piece(
    'streams arguments as an object',
    { tool_calls: [{ index: 0, function: { name: 'f', arguments: {} } }] },
    'tool_calls[0].function.arguments: expected text',
  ),
];

const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };

function chunk(delta, fields = {}) {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta, ...fields }] })}\n\n`;
}

function drip(stream, write) {
  let count = 0;
  const timer = setInterval(() => write(count++), 20);
  stream.once('close', () => clearInterval(timer));
}

/** Every other request is answered, the rest never. */
function everySecond(answer) {
  let count = 0;
  return (_, response) => {
    if (count++ % 2 === 0) answer(response);
  };
}

function never(name, serve, options = {}) {
  return { name, code: 'TIMEOUT', contains: [], serve, ...options };
}

function status(name, code, expected, headers) {
  const serve = (_, response) =>
    response.writeHead(code, { ...json, ...headers }).end('{"error":{}}');
  return { name, code: expected, contains: [], serve };
}

function cut(name, serve, options = {}) {
  return { name, code: 'CONNECTION', contains: [], maxRetries: 0, serve, ...options };
}

function large(name, begin, options = {}) {
  const block = ' '.repeat(65_536);
  const serve = (_, response) => {
    begin(response);
    const more = () => {
      while (!response.destroyed && response.write(block));
    };
    response.on('drain', more);
    more();
  };
  return { name, code: 'BAD_RESPONSE', contains: ['more than 200000 bytes'], serve, ...options };
}

function body(name, value, ...contains) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    name,
    code: 'BAD_RESPONSE',
    contains,
    serve: (_, response) => response.writeHead(200, json).end(text),
  };
}

function piece(name, delta, ...contains) {
  const serve = (_, response) => response.writeHead(200, events).end(chunk(delta));
  return { name, code: 'BAD_RESPONSE', contains, stream: true, serve };
}
