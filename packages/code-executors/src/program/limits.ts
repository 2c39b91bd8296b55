/** How much the programs of a block may use. */
export interface ProgramLimits {
  /** Bytes of memory of each process. */
  readonly maxMemoryBytes: number;
  /** Processes and threads at a time. */
  readonly maxProcesses: number;
  /** Files made or changed. */
  readonly maxFiles: number;
  /** Bytes of one file, and of all files made or changed. */
  readonly maxFileBytes: number;
}

/** A program and its arguments. */
export type CommandLine = readonly [command: string, ...args: string[]];

// The kernel holds these limits for the program and all it starts. `env -u` takes back what a shell adds.
// Some shells call the number of processes -u, others -p; it is counted per user unless there is a namespace.
const LIMITED = `ulimit -c 0
ulimit -f "$1"
ulimit -d "$2" 2>/dev/null
if [ "$3" != all ]; then ulimit -u "$3" 2>/dev/null || ulimit -p "$3" 2>/dev/null; fi
shift 3
exec /usr/bin/env -u PWD -u OLDPWD -u SHLVL -u _ "$@"`;

/** The command line that runs `command` within `limits`. On Windows there are none. */
export function limited(
  command: CommandLine,
  { maxMemoryBytes, maxProcesses, maxFileBytes }: ProgramLimits,
  isAlone: boolean,
): CommandLine {
  if (process.platform === 'win32') return command;
  const blocks = Math.ceil(maxFileBytes / 512);
  const kilobytes = Math.ceil(maxMemoryBytes / 1024);
  const processes = isAlone ? String(maxProcesses) : 'all';
  return ['/bin/sh', '-c', LIMITED, 'sh', String(blocks), String(kilobytes), processes, ...command];
}
