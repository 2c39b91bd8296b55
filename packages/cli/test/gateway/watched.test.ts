import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  LOOPING,
  loop,
  type StartedGateway,
  startGateway,
  startModel,
  type Upstream,
} from '../support/gateway.ts';

const TOKEN = { 'x-teamfuse-token': 'token-1' };

describe('teamfuse gateway', () => {
  let folder = '';
  let upstream: Upstream;
  let gateway: StartedGateway | undefined;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'teamfuse-watched-'));
    upstream = await startModel(async () => LOOPING);
  });

  afterEach(() => {
    gateway?.child.kill('SIGKILL');
    upstream.close();
    rmSync(folder, { recursive: true });
  });

  /** The value of a measurement, by the beginning of its line. */
  function valueIn(told: string, name: string): number {
    const line = told.split('\n').find((one) => one.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  }

  it('[GWC11] shows the spend, the refusals and the trips of loops, with and without a team', async () => {
    writeFileSync(join(folder, 'teamfuse.toml'), '[teams.sales]\n[teams.law]\n');
    gateway = await startGateway(upstream.url, ['--metrics'], folder);
    expect(gateway.out).toContain(`Metrics: ${gateway.url}/metrics`);
    expect((await loop(gateway.url, '/v1')).status).toBe(402);
    expect((await loop(gateway.url, '/t/sales/v1')).status).toBe(402);
    const told = await (await fetch(`${gateway.url}/metrics`)).text();
    const trip = 'teamfuse_kind="repetition",teamfuse_basis="certain"';
    const refusal = 'teamfuse_kind="repetition",teamfuse_signal="model-request"';
    for (const team of ['', 'team_name="sales",']) {
      expect(valueIn(told, `teamfuse_trips_total{${team}${trip}}`)).toBe(1);
      expect(valueIn(told, `teamfuse_refusals_total{${team}${refusal}}`)).toBe(1);
    }
    for (const team of ['', '{team_name="sales"}']) {
      expect(valueIn(told, `teamfuse_spend_total${team}`)).toBeGreaterThan(0);
    }
    expect(valueIn(told, 'teamfuse_spend_total{team_name="law"}')).toBe(0);
    expect(told).not.toMatch(/orders|"find"|call_1/);
    expect(await gateway.end()).toBe(0);
  });

  it('[GWC10] asks Prometheus for the token, where there is one', async () => {
    const env = { ...process.env, TEAMFUSE_TOKEN: 'token-1' };
    gateway = await startGateway(upstream.url, ['--metrics', '--no-policy'], folder, env);
    const ask = async (headers: Record<string, string>): Promise<number> =>
      (await fetch(`${gateway?.url}/metrics`, { headers })).status;
    expect(await ask({})).toBe(403);
    expect(await ask(TOKEN)).toBe(200);
    expect(await ask({ authorization: 'Bearer token-1' })).toBe(200);
  });

  it('[GWC10] passes the path on without the flag', async () => {
    gateway = await startGateway(upstream.url, ['--no-policy'], folder);
    expect(gateway.out).not.toContain('Metrics');
    expect((await call(gateway.url, '/v1', [{ role: 'user', content: 'Go.' }])).status).toBe(200);
    const response = await fetch(`${gateway.url}/metrics`);
    expect(await response.json()).toMatchObject({ choices: [{ message: LOOPING.message }] });
  });
});
