import { expect } from 'vitest';
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

/** Has so many tenants of a server make so many requests each, all at once: none sees the trip of another. */
export async function checkTenants(tenants: number, requests: number): Promise<void> {
  const { runTenants } = (await import(RUN)) as Run;
  const lines: string[] = [];
  const load = { core, tenants, requests, gc: undefined };
  expect(await runTenants({ ...load, print: (line) => lines.push(line) })).toEqual([]);
  expect(lines[1]).toContain(`(${tenants * requests} under way)`);
}
