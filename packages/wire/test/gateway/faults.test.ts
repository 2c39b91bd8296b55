import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ASKED, CHAT, poem, readingOf, ServedGateway } from './support/served-gateway.ts';

const STREAMED = { ...ASKED, stream: true, stream_options: { include_usage: true } };
const PIECE = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Roses.' } }] })}\n\n`;
const LARGE = 'All work and no play makes a dull report. '.repeat(250_000);
const JSON_TYPE = { 'content-type': 'application/json' };

const answers =
  (text: string, headers: Record<string, string> = JSON_TYPE): RequestListener =>
  (request, response) => {
    request.resume().on('end', () => response.writeHead(200, headers).end(text));
  };

describe('an upstream that dies', () => {
  test('[GWY13] before it answers is an error, which costs nothing', async () => {
    await using gateway = await ServedGateway.start(({ socket }) => socket.destroy());
    const { response, text } = await gateway.ask();
    expect(response.statusCode).toBe(502);
    expect(JSON.parse(text).error.code).toBe('upstream_unreachable');
    expect(gateway.usages).toMatchObject([{ outputTokens: 0, error: expect.anything() }]);
    expect(gateway.breaker.cost.nanoUsd).toBe(0);
  });

  test.each([
    ['an answer', ASKED, { ...JSON_TYPE, 'content-length': '900' }, poem()],
    ['a stream', STREAMED, { 'content-type': 'text/event-stream' }, PIECE],
  ])(
    '[GWY13] in the middle of %s breaks it off, and what came is booked',
    async (_, asked, headers, piece) => {
      await using gateway = await ServedGateway.start((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(200, headers);
          response.write(piece, () => response.socket?.destroy());
        });
      });
      const { text, isCut } = await gateway.ask(asked);
      expect(isCut).toBe(true);
      expect(piece.startsWith(text)).toBe(true);
      expect(gateway.usages).toMatchObject([{ isPartial: true, isEstimate: true }]);
    },
  );
});

describe('a caller that leaves', () => {
  test.each([
    ['before its answer', ASKED, ''],
    ['in the middle of a stream', STREAMED, PIECE],
  ])('[GWY14] %s ends the call at the upstream, which is no failure', async (_, asked, piece) => {
    let left = 0;
    let arrived = (): void => {};
    const asking = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    await using gateway = await ServedGateway.start((request, response) => {
      response.once('close', () => left++);
      request.resume().on('end', () => {
        if (piece) response.writeHead(200, { 'content-type': 'text/event-stream' }).write(piece);
        arrived();
      });
    });
    const sent = gateway.begin();
    sent.on('error', () => {}).end(JSON.stringify(asked));
    if (piece) await once(((await once(sent, 'response')) as [IncomingMessage])[0], 'data');
    await asking;
    sent.destroy();
    await expect.poll(() => left).toBe(1);
    await expect.poll(() => gateway.usages).toMatchObject([{ isEstimate: true }]);
    expect(gateway.usages[0]).not.toHaveProperty('error');
  });

  test('[GWY14] in the middle of its request never reaches the upstream', async () => {
    let asked = 0;
    await using gateway = await ServedGateway.start((_, response) => {
      asked++;
      response.end();
    });
    const sent = gateway.begin(CHAT, { headers: { 'content-length': 1000 } });
    sent.on('error', () => {}).write('{"messages":[');
    await once(sent, 'socket');
    sent.destroy();
    const { response } = await gateway.ask();
    expect([response.statusCode, asked]).toEqual([200, 1]);
    expect(gateway.usages).toHaveLength(1);
  });
});

describe('what is sent through a gateway', () => {
  test('[GWY15] passes with 10 MB each way, and is booked', async () => {
    await using gateway = await ServedGateway.start(answers(poem(LARGE, 2_600_000)));
    const { text } = await gateway.ask({ ...ASKED, messages: [{ role: 'user', content: LARGE }] });
    expect(text).toBe(poem(LARGE, 2_600_000));
    expect(gateway.breaker.cost.tokens).toBe(2_600_010);
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)(
    '[GWY15] arrives as it was packed with %s, while its answer comes unpacked',
    async (encoding, pack) => {
      const got: (string | undefined)[] = [];
      await using gateway = await ServedGateway.start((request, response) => {
        const { 'content-encoding': packed, 'content-length': length } = request.headers;
        got.push(packed, length);
        const headers = { ...JSON_TYPE, 'content-encoding': encoding };
        request.resume().on('end', () => response.writeHead(200, headers).end(pack(poem())));
      });
      const packed = pack(JSON.stringify(ASKED));
      const headers = { 'content-encoding': encoding };
      const { response, text } = await gateway.ask(packed, { headers });
      expect(got).toEqual([encoding, `${packed.length}`]);
      expect([text, response.headers['content-encoding']]).toEqual([poem(), undefined]);
      expect(gateway.breaker.cost.tokens).toBe(15);
    },
  );

  test('[GWY15] is a mistake if its JSON cannot be read; what is none goes on, and so does such an answer', async () => {
    await using gateway = await ServedGateway.start(answers('{"choices":[', JSON_TYPE));
    expect((await gateway.ask('{"messages":')).response.statusCode).toBe(400);
    for (const body of ['none', '\u0000', JSON.stringify(ASKED)]) {
      const { response, text, isCut } = await gateway.ask(body);
      expect([response.statusCode, text, isCut]).toEqual([200, '{"choices":[', false]);
    }
    expect(gateway.usages).toMatchObject([{ isPartial: true }]);
  });

  test.each([
    ['a whole answer as text', ASKED, 'text/plain', poem(), 15],
    ['a whole answer for a stream', STREAMED, 'application/json', poem(), 15],
    ['a stream as something else', STREAMED, 'application/octet-stream', stream(), 15],
    ['a stream that nobody asked for', ASKED, 'text/event-stream', stream(), 15],
  ])('[GWY15] is booked when the type is wrong: %s', async (_, asked, type, text, tokens) => {
    await using gateway = await ServedGateway.start(answers(text, { 'content-type': type }));
    const answer = await gateway.ask(asked);
    expect([answer.text, answer.response.headers['content-type']]).toEqual([text, type]);
    expect(gateway.breaker.cost).toMatchObject({ tokens, isEstimate: false });
  });

  test('[GWY15] may come in chunks, slowly, and after a 100', async () => {
    await using gateway = await ServedGateway.start(answers(poem()));
    const sent = gateway.begin(CHAT, { headers: { expect: '100-continue' } });
    sent.flushHeaders();
    await once(sent, 'continue');
    const body = JSON.stringify(ASKED);
    for (const byte of body) {
      sent.write(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect((await readingOf(response)).text).toBe(poem());
    expect(gateway.breaker.cost.tokens).toBe(15);
  });

  test('[GWY15] passes beside a request whose body never ends', async () => {
    await using gateway = await ServedGateway.start(answers(poem()));
    const slow = gateway.begin(CHAT, { headers: { 'content-length': 1000 } });
    slow.on('error', () => {}).write('{"messages":[');
    expect((await gateway.ask()).text).toBe(poem());
    expect(gateway.usages).toHaveLength(1);
    slow.destroy();
  });

  test('[GWY15] is answered in turn on one connection, each in its conversation', async () => {
    await using gateway = await ServedGateway.start((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (piece) => {
        body += piece;
      });
      request.on('end', () => response.writeHead(200, JSON_TYPE).end(poem(`To ${body.length}.`)));
    });
    const socket = await gateway.connection();
    const requests = [1, 2, 3].map((size) => {
      const messages = [{ role: 'user', content: `Poem ${'.'.repeat(size)}` }];
      const body = JSON.stringify({ model: 'gpt-4o-mini', messages });
      return {
        length: body.length,
        text: `POST ${CHAT} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      };
    });
    socket.write(requests.map(({ text }) => text).join(''));
    let heard = '';
    socket.on('data', (data) => {
      heard += data;
    });
    await expect
      .poll(() => heard.match(/To \d+\./g))
      .toEqual(requests.map(({ length }) => `To ${length}.`));
    expect(new Set(heard.match(/x-teamfuse-conversation: \S+/gi)).size).toBe(3);
    socket.destroy();
  });

  test('[GWY15] uses one connection again for many calls', async () => {
    const sockets = new Set<unknown>();
    await using gateway = await ServedGateway.start(answers(poem()));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 5; i++) {
      const sent = gateway.begin(CHAT, { agent });
      sent.on('socket', (socket) => sockets.add(socket)).end(JSON.stringify(ASKED));
      await readingOf(((await once(sent, 'response')) as [IncomingMessage])[0]);
    }
    agent.destroy();
    expect([sockets.size, gateway.usages.length]).toEqual([1, 5]);
  });
});

function stream(): string {
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] };
  const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } };
  return `${PIECE}${[end, usage].map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')}data: [DONE]\n\n`;
}
