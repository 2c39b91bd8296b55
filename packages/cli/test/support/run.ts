import { vi } from 'vitest';
import { run } from '../../src/run.ts';
import type { Ran } from './bin.ts';

/** Runs a command in this process, with what it says on the console. */
export async function runHere(args: readonly string[]): Promise<Ran> {
  const [out, err]: [string[], string[]] = [[], []];
  const log = vi.spyOn(console, 'log').mockImplementation((text) => void out.push(String(text)));
  const error = vi
    .spyOn(console, 'error')
    .mockImplementation((text) => void err.push(String(text)));
  const code = await run(['node', 'teamfuse', ...args]);
  log.mockRestore();
  error.mockRestore();
  return { code, out: out.join('\n'), err: err.join('\n') };
}
