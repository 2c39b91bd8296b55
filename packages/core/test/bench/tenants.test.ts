import { expect, it } from 'vitest';
import * as core from '../../src/index.ts';

interface Run {
  runTenants(options: {
    readonly core: unknown;
    readonly tenants: number;
    readonly requests: number;
    readonly print: (line: string) => void;
    readonly gc: undefined;
  }): Promise<readonly string[]>;
}

const RUN = new URL('../../bench/tenants/run.js', import.meta.url).href;

it('[TEN11] no tenant of a server sees the trip of another, with all requests at once', async () => {
  const { runTenants } = (await import(RUN)) as Run;
  const lines: string[] = [];
  const load = { core, tenants: 30, requests: 20, gc: undefined };
  expect(await runTenants({ ...load, print: (line) => lines.push(line) })).toEqual([]);
  expect(lines[1]).toContain('(600 under way)');
});
