import { spawn } from 'node:child_process';
import { execa } from 'execa';
import { CodeExecutorError } from '../errors.ts';
import type { Enclosure } from '../program/enclosure.ts';
import { findProgram } from '../program/find-program.ts';
import { kill } from '../program/process-table.ts';

const CHECK_MS = 20_000;
const PULL_MS = 600_000;

/**
 * Makes sure that blocks can run in `image`, and gives the file of the Docker client; `undefined` when cancelled.
 *
 * @throws {@link CodeExecutorError} `DOCKER_UNAVAILABLE`
 */
export async function prepareDocker(
  image: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const docker = findProgram('docker', process.env.PATH);
  if (docker === undefined) throw unavailable('there is no `docker` on the search path');
  const ask = (args: readonly string[], timeout: number) =>
    execa(docker, args, { reject: false, stdin: 'ignore', timeout, cancelSignal: signal });
  const version = await ask(['version', '--format', '{{.Server.Version}}'], CHECK_MS);
  if (signal.aborted) return undefined;
  if (version.failed) throw unavailable(reasonOf(version));
  const inspected = await ask(['image', 'inspect', '--format', '{{.Id}}', image], CHECK_MS);
  if (!inspected.failed) return docker;
  const pulled = await ask(['pull', '--quiet', image], PULL_MS);
  if (signal.aborted) return undefined;
  if (pulled.failed)
    throw unavailable(`the image '${image}' is not available: ${reasonOf(pulled)}`);
  return docker;
}

/** Holds the container called `name`: ending the client alone would leave it running. */
export function containerEnclosure(docker: string, name: string): Enclosure {
  let gone: Promise<void> | undefined;
  return {
    isNamespace: true,
    env: {},
    enter: (command) => command,
    countProcesses: () => 0,
    end: (pid) => {
      if (pid === undefined || gone !== undefined) return;
      // A client that lives could still start what is being removed. One that has ended has removed it itself.
      kill(process.platform === 'win32' ? pid : -pid);
      const removal = spawn(docker, ['rm', '--force', name], { stdio: 'ignore', detached: true });
      gone = new Promise((resolve) =>
        removal.once('close', resolve).once('error', () => resolve()),
      );
      removal.unref();
    },
    gone: async () => gone,
  };
}

function reasonOf({ stderr, message }: { stderr: string; message?: string | undefined }): string {
  return (stderr.trim() || message || 'it gives no reason').slice(0, 500);
}

function unavailable(reason: string): CodeExecutorError {
  return new CodeExecutorError(
    'DOCKER_UNAVAILABLE',
    `Docker is not available to run the code: ${reason}`,
  );
}
