import { posix, relative, sep } from 'node:path';
import type { StoredProgram } from '../block-sequence.ts';
import type { CommandLine } from '../program/limits.ts';
import type { ContainerOptions } from './options.ts';

const WORKSPACE = '/workspace';

/** The command line that runs a stored block in a container called `name` with nothing but its work directory. */
export function dockerRun(
  docker: string,
  { language, path }: StoredProgram,
  workDir: string,
  name: string,
  { image, network, maxMemoryBytes, maxProcesses, maxFileBytes }: ContainerOptions,
): CommandLine {
  const inside = posix.join(WORKSPACE, ...relative(workDir, path).split(sep));
  return [
    ...([docker, 'run', '--rm', '--init', '--pull', 'never', '--name', name] as const),
    ...['--network', network],
    ...['--memory', String(maxMemoryBytes), '--memory-swap', String(maxMemoryBytes)],
    ...['--pids-limit', String(maxProcesses)],
    ...['--ulimit', `fsize=${maxFileBytes}`, '--ulimit', 'core=0'],
    ...['--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
    ...userArgs(),
    // The value is a line of CSV, in which a path may contain a comma.
    ...['--mount', `type=bind,"source=${workDir.replaceAll('"', '""')}",target=${WORKSPACE}`],
    ...['--workdir', WORKSPACE, '--env', 'HOME=/tmp'],
    ...[image, language.command, ...language.args, inside],
  ];
}

/** Files in the work directory belong to the user of this process. */
function userArgs(): string[] {
  const uid = process.getuid?.();
  return uid === undefined ? [] : ['--user', `${uid}:${process.getgid?.() ?? uid}`];
}
