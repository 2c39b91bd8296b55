import { spawnSync } from 'node:child_process';

const found = new Map<string, boolean>();

// What a case calls python is started as python3.
const commands: Readonly<Record<string, string>> = { python: 'python3' };

/** Whether a program that a case needs is on this machine. */
export function hasProgram(name: string): boolean {
  const known = found.get(name);
  if (known !== undefined) return known;
  const { error } = spawnSync(commands[name] ?? name, ['-c', ''], { stdio: 'ignore' });
  found.set(name, error === undefined);
  return error === undefined;
}
