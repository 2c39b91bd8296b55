import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The ids of processes that `belongs` recognises. Empty where there is no `/proc`. */
export function findProcesses(belongs: (pid: string) => boolean): number[] {
  const found: number[] = [];
  for (const pid of listed()) {
    try {
      if (/^\d+$/.test(pid) && belongs(pid)) found.push(Number(pid));
    } catch {
      // It has ended, or belongs to another user.
    }
  }
  return found;
}

/** Recognises the processes of the process namespace `namespace`, such as `pid:[4026532178]`. */
export function inNamespace(namespace: string): (pid: string) => boolean {
  return (pid) => readlinkSync(`/proc/${pid}/ns/pid`) === namespace;
}

/** Recognises the processes that were started with `entry` in their environment. */
export function withEnvironment(entry: string): (pid: string) => boolean {
  return (pid) => readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(entry);
}

/** Kills a process, or with a negative id a group. */
export function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is already gone, which is what was wanted.
  }
}

function listed(): string[] {
  try {
    return readdirSync('/proc');
  } catch {
    return [];
  }
}
