import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { SQLITE_NODE } from '../../packages/stores/test/support/sqlite-node.ts';
import { HAS_POSTGRES } from '../servers/postgres-server.ts';
import { HAS_REDIS } from '../servers/redis-server.ts';

const PROGRAM = fileURLToPath(new URL('program.ts', import.meta.url));
const OWN_EXIT_CODE = 3;
/** For a program that does not end at all. */
const PATIENCE_MS = 60_000;

interface Ended {
  readonly code: unknown;
  readonly signal: unknown;
  readonly problems: readonly string[];
}

/** Plays scenes in a process of their own, and waits until that has ended by itself. */
function played(part: string): Promise<Ended> {
  const args = ['--no-warnings', '--conditions=@teamfuse/source', PROGRAM, part];
  return new Promise((resolve) => {
    execFile(SQLITE_NODE as string, args, { timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      const { code = 0, signal = null } = error ?? {};
      const problems = stdout === '' ? [stderr] : JSON.parse(stdout);
      resolve({ code, signal, problems });
    });
  });
}

/** Every failure was heard of, nobody else heard of it, and the process ended at once, by itself, with its own exit code. */
const unharmed: Ended = { code: OWN_EXIT_CODE, signal: null, problems: [] };

describe.skipIf(SQLITE_NODE === undefined)('the process of a user', () => {
  it.concurrent.each([
    ['stores, listeners, judges and steps', 'core'],
    ['webhooks, telemetry and recordings', 'telling'],
    ['guarded agents and functions', 'guards'],
    ['streams, gateways and pages', 'traffic'],
    ['files', 'files'],
  ])('[HOUSE17] is unharmed by failures of %s', async (_, part) => {
    expect(await played(part)).toEqual(unharmed);
  });

  it.skipIf(!HAS_REDIS).concurrent(
    '[HOUSE17] is unharmed by a Redis that fails (needs redis-server)',
    async () => {
      expect(await played('redis')).toEqual(unharmed);
    },
  );

  it.skipIf(!HAS_POSTGRES).concurrent(
    '[HOUSE17] is unharmed by a PostgreSQL that fails (needs postgres)',
    async () => {
      expect(await played('postgres')).toEqual(unharmed);
    },
  );

  it('[HOUSE17] is harmed by a promise that floats, an error in a timer, and a failure that is kept quiet', async () => {
    const { problems } = await played('planted');
    expect(problems.map((problem) => problem.split('\n', 1)[0])).toEqual([
      'a promise that floats throws: nobody handles a rejection: Error: a floating fault',
      'a promise that floats throws: nobody catches an error: Error: a fault in a timer',
      ...['throws', 'rejects', 'rejects late'].flatMap((way) => [
        `a failure that nobody hears of ${way}: nothing was asked of it`,
        `a failure that nobody hears of ${way}: 'store' heard of nothing, only `,
      ]),
    ]);
  });
});
