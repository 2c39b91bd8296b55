import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readlinkSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Enclosure } from '../program/enclosure.ts';
import { findProgram } from '../program/find-program.ts';
import { findProcesses, inNamespace, kill } from '../program/process-table.ts';

// The first process of the namespace waits until this process closes its input, or dies. It waits for a program, since a shell
// takes the dead in only meanwhile: `read` leaves zombies, or ends with the first of them, and everything inside with it.
const INIT = 'echo ready; until cat >/dev/null; do :; done';
/** The processes inside that are ours. */
const OWN = 2;
/** Far longer than a system needs that allows it. */
const START_MS = 10_000;
const UNSHARE = [
  '--user',
  '--map-current-user',
  '--pid',
  '--mount-proc',
  '--fork',
  '--kill-child=SIGKILL',
  '/bin/sh',
  '-c',
  INIT,
];

/**
 * Opens a Linux process namespace inside a new user namespace.
 *
 * What runs inside sees no process outside, cannot read the memory or environment of one, and ends with it.
 * `undefined` where the system does not allow it.
 */
export async function openNamespace(): Promise<Enclosure | undefined> {
  if (process.platform !== 'linux') return undefined;
  const unshare = findProgram('unshare', process.env.PATH);
  const nsenter = findProgram('nsenter', process.env.PATH);
  if (unshare === undefined || nsenter === undefined) return undefined;
  const keeper = spawn(unshare, UNSHARE, { stdio: ['pipe', 'pipe', 'ignore'], env: {} });
  try {
    await started(keeper);
    const init = Number(readFileSync(`/proc/${keeper.pid}/task/${keeper.pid}/children`, 'utf8'));
    const namespace = readlinkSync(`/proc/${init}/ns/pid`);
    return enclosure({ keeper, init, namespace, nsenter });
  } catch {
    keeper.stdin.destroy();
    keeper.kill('SIGKILL');
    return undefined;
  }
}

type Keeper = ChildProcessByStdio<Writable, Readable, null>;

interface Parts {
  readonly keeper: Keeper;
  /** The first process of the namespace. */
  readonly init: number;
  readonly namespace: string;
  readonly nsenter: string;
}

async function started(keeper: Keeper): Promise<void> {
  const failure = once(keeper, 'close').then(() => Promise.reject(new Error('not allowed')));
  const signal = AbortSignal.timeout(START_MS);
  await Promise.race([once(keeper.stdout, 'data', { signal }), failure]);
  failure.catch(() => undefined);
  // The output of the programs inside is not read.
  keeper.stdout.destroy();
  keeper.stdin.on('error', () => undefined);
  keeper.unref();
}

function enclosure({ keeper, init, namespace, nsenter }: Parts): Enclosure {
  const of = `/proc/${init}/ns`;
  const isInside = inNamespace(namespace);
  // The system lets the first process end only after all others.
  const gone = new Promise<void>((resolve) => keeper.once('exit', () => resolve()));
  return {
    isNamespace: true,
    env: {},
    enter: (command, cwd) => [
      nsenter,
      `--user=${of}/user`,
      `--pid=${of}/pid`,
      `--mount=${of}/mnt`,
      '--preserve-credentials',
      `--wd=${cwd}`,
      '--',
      ...command,
    ],
    countProcesses: () => findProcesses(isInside).length - OWN,
    gone: () => gone,
    end: () => {
      keeper.stdin.destroy();
      // Once its parent has ended, the id may be that of another process.
      if (keeper.exitCode === null && keeper.signalCode === null) kill(init);
    },
  };
}
