import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { end, freePort, startProgram, type TestServer } from './program.ts';

const VERSIONS = '/usr/lib/postgresql';
const BIN = binaries();

/** Whether PostgreSQL is here. */
export const HAS_POSTGRES: boolean = BIN !== undefined;

/** A PostgreSQL of a test. */
export interface PostgresServer extends TestServer {
  readonly url: string;
  /** Starts it again at the same port with what it has kept, after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** Starts a PostgreSQL with an empty database in a directory of its own. */
export async function startPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-postgres-'));
  const user = owner();
  if (user !== undefined) execFileSync('chown', [`${user.uid}:${user.gid}`, folder]);
  const run = { cwd: folder, ...user };
  const data = join(folder, 'data');
  const init = ['-D', data, '-U', 'test', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(BIN ?? '', 'initdb'), init, { ...run, stdio: 'ignore' });
  const port = await freePort();
  const place = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  const command = [join(BIN ?? '', 'postgres'), ...place];
  const start = () => startProgram(command, 'ready to accept connections', run);
  let child = await start();
  return {
    port,
    url: `postgres://test@127.0.0.1:${port}/postgres`,
    get pid() {
      return child.pid as number;
    },
    // Its processes end with the first one: they notice that it is gone.
    kill: () => end(child, 'SIGQUIT'),
    restart: async () => {
      child = await start();
    },
    stop: async () => {
      await end(child, 'SIGINT');
      rmSync(folder, { recursive: true });
    },
  };
}

function binaries(): string | undefined {
  if (!existsSync(VERSIONS)) return undefined;
  return readdirSync(VERSIONS)
    .map((version) => join(VERSIONS, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL refuses to be run by root. */
function owner(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'postgres']));
  return { uid: idOf('-u'), gid: idOf('-g') };
}
