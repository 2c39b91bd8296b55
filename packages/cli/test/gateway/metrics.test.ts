import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Breaker } from '@teamfuse/core';
import { afterEach, describe, expect, it } from 'vitest';
import { allHappenings } from '../../../otel/test/support/all-happenings.ts';
import {
  labelsAsked,
  labelsIn,
  metricsAsked,
  namesIn,
  WATCHING,
} from '../../../otel/test/support/asked.ts';
import { Metrics } from '../../src/gateway/metrics.ts';

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** Measurements on a port of their own, where all other paths are not found. */
async function serve(token?: string) {
  const metrics = new Metrics(token);
  const server: Server = createServer((asked, response) => {
    if (metrics.handle(asked, response) === undefined) response.writeHead(418).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  open.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const ask = async (headers: Record<string, string> = {}, path = '/metrics', method = 'GET') => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers }).end();
    const [response] = await once(sent, 'response');
    return { status: response.statusCode, headers: response.headers, text: await text(response) };
  };
  return { metrics, port, ask };
}

describe('the measurements of a gateway', () => {
  it('[GWC10] are given to this machine under its own name, and to no page of others', async () => {
    const { port, ask } = await serve();
    expect(await ask()).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
    });
    expect((await ask({ host: `localhost:${port}` }, '/metrics?name=x')).status).toBe(200);
    expect((await ask({ host: 'evil.example' })).status).toBe(403);
    expect((await ask({ origin: 'http://evil.example' })).status).toBe(403);
    expect((await ask({ origin: 'null' })).status).toBe(403);
    for (const path of ['/v1/metrics', '/metricsa', '/metrics/', '//metrics', '/t/sales/metrics']) {
      expect((await ask({}, path)).status).toBe(418);
    }
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']) {
      const { status, headers } = await ask({}, '/metrics', method);
      expect([status, headers.allow]).toEqual([405, 'GET']);
    }
  });

  it('[GWC10] are given to who sends the token, also as Prometheus sends it', async () => {
    const { metrics, ask } = await serve('token-1');
    metrics.add(new Breaker(), '');
    for (const headers of [
      { 'x-teamfuse-token': 'token-1' },
      { authorization: 'Bearer token-1' },
      { authorization: 'bearer token-1', host: 'gateway.example' },
      { authorization: 'Bearer sk-key', 'x-teamfuse-token': 'token-1' },
    ]) {
      expect((await ask(headers)).status).toBe(200);
    }
    for (const headers of [
      {},
      { 'x-teamfuse-token': 'token-2' },
      { authorization: 'token-1' },
      { authorization: 'Basic token-1' },
      { authorization: 'Bearer token-1x' },
      { authorization: 'Bearer token-1', origin: 'http://evil.example' },
    ] as readonly Record<string, string>[]) {
      const { status, text: told } = await ask(headers);
      expect(status).toBe(403);
      expect(told).not.toMatch(/teamfuse_|token/);
    }
    expect((await ask({}, '/metrics', 'POST')).status).toBe(403);
  });

  it('[GWC11] name the team, and neither conversations nor what was said', async () => {
    const { metrics, ask } = await serve();
    const [main, sales] = [new Breaker(), new Breaker()];
    metrics.add(main, '');
    metrics.add(sales, 'sales "north"\n');
    main.conversation('chat 7').observe({ kind: 'message', agent: 'ann', text: 'Hello.' });
    sales.trackCost(0.5, 'bob');
    const { text: told } = await ask();
    expect(told).toMatch(/^teamfuse_signals_total\{teamfuse_signal="message"\} 1$/m);
    expect(told).toMatch(/^teamfuse_spend_total 0$/m);
    expect(told).toMatch(/^teamfuse_spend_total\{team_name="sales \\"north\\"\\n"\} 0.5$/m);
    expect(told).not.toMatch(/chat 7|Hello|ann|bob|node|target_info/);
  });

  it('[GWC17] count the mistakes of callers', async () => {
    const { metrics, ask } = await serve();
    expect((await ask()).text).toMatch(/^teamfuse_gateway_mistakes_total 0$/m);
    metrics.mistaken();
    metrics.mistaken();
    expect((await ask()).text).toMatch(/^teamfuse_gateway_mistakes_total 2$/m);
  });

  it.each(WATCHING)('[GWC11] have the names that %s asks for', async (file) => {
    const { metrics, ask } = await serve();
    await allHappenings((breaker) => metrics.add(breaker, 'sales'));
    const { text: told } = await ask();
    const labels = labelsIn(told);
    expect(metricsAsked(file, labels).length).toBeGreaterThan(3);
    for (const name of metricsAsked(file, labels)) expect(namesIn(told)).toContain(name);
    for (const name of labelsAsked(file)) expect(labels).toContain(name);
  });
});
