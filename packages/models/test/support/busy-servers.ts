import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, defaultServerConditions } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LoopDelay } from '../../../../test/loop-delay.ts';

const SERVE = fileURLToPath(new URL('./serve-endpoint.js', import.meta.url));
const conditions = ['@teamfuse/source', ...defaultServerConditions];

let folder = '';

/** Measures in a process that does nothing else: the memory of other tests must not be collected in it. */
export async function measured(
  ...args: readonly string[]
): Promise<LoopDelay & { readonly code: string; readonly usual: number }> {
  const command = [join(folder, 'measure-loop.mjs'), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command);
  return JSON.parse(stdout);
}

/** A server in its own process, so that only the client's work is measured. */
async function served(name: string) {
  const server = spawn(process.execPath, [SERVE, name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = await once(server.stdout, 'data');
  return { port: String(Number(port)), [Symbol.dispose]: () => void server.kill('SIGKILL') };
}

/** A server, whether it is asked for a stream, and the codes of the errors that may come of it. */
export type BusyServer = readonly [name: string, isStream: boolean, codes: readonly string[]];

/** Tests that clients of these servers leave their process free. */
export function testServers(servers: readonly BusyServer[]): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'teamfuse-loop-'));
    await build({
      configFile: false,
      logLevel: 'silent',
      ssr: { noExternal: true, resolve: { conditions } },
      build: {
        ssr: fileURLToPath(new URL('./measure-loop.ts', import.meta.url)),
        outDir: folder,
        rolldownOptions: { output: { entryFileNames: 'measure-loop.mjs' } },
      },
    });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(servers)('[MER11] %s: leaves the process free', async (name, isStream, codes) => {
    using server = await served(name);
    const { code, p99, max, usual } = await measured(server.port, String(isStream));
    console.info(`${name}: ${code}, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`);
    expect(codes).toContain(code);
    expect(p99).toBeLessThan(Math.max(50, 4 * usual));
  });
}
