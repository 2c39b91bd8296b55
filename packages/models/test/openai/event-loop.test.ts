import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, defaultServerConditions } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LoopDelay } from '../../../../test/loop-delay.ts';

const SERVE = fileURLToPath(new URL('../support/serve-endpoint.js', import.meta.url));
const conditions = ['@teamfuse/source', ...defaultServerConditions];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'teamfuse-loop-'));
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, resolve: { conditions } },
    build: {
      ssr: fileURLToPath(new URL('../support/measure-loop.ts', import.meta.url)),
      outDir: folder,
      rolldownOptions: { output: { entryFileNames: 'measure-loop.mjs' } },
    },
  });
});
afterAll(() => rm(folder, { recursive: true }));

/** Measures in a process that does nothing else: the memory of other tests must not be collected in it. */
async function measured(
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

// Sharing the processor with other programs costs time that is not this one's.
describe('a server that would keep the process busy', { retry: 3 }, () => {
  test.each([
    ['streams a word without end', true, ['BAD_RESPONSE']],
    ['floods with events', true, ['BAD_RESPONSE', 'TIMEOUT']],
    ['streams words without end', true, ['TIMEOUT']],
    ['drips a stream without a word', true, ['TIMEOUT']],
    ['sends a whole stream and leaves it open', true, ['TIMEOUT']],
    ['sends an answer without end', false, ['BAD_RESPONSE', 'TIMEOUT']],
    ['sends an error without end', false, ['BAD_REQUEST', 'TIMEOUT']],
    ['drips its headers', false, ['TIMEOUT']],
    ['drips its body', false, ['TIMEOUT']],
    ['promises more bytes than it sends', false, ['TIMEOUT']],
  ])('[MER11] %s: leaves the process free', async (name, isStream, codes) => {
    using server = await served(name);
    const { code, p99, max, usual } = await measured(server.port, String(isStream));
    console.info(`${name}: ${code}, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms`);
    expect(codes).toContain(code);
    expect(p99).toBeLessThan(Math.max(50, 4 * usual));
  });

  test('[MER11] would be noticed', async () => {
    expect((await measured()).p99).toBeGreaterThan(50);
  });
});
