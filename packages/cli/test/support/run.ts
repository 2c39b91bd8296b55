import { Writable } from 'node:stream';
import { vi } from 'vitest';
import { run } from '../../src/run.ts';
import type { Ran } from './bin.ts';

/** A stream that keeps what is written to it. */
class Kept extends Writable {
  text = '';

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    this.text += String(chunk);
    done();
  }
}

/** Runs a command in this process, with all that it prints: a process of its own takes half a second to begin. */
export async function runHere(args: readonly string[]): Promise<Ran> {
  const [out, err] = [new Kept(), new Kept()];
  const spies = [
    vi.spyOn(process, 'stdout', 'get').mockReturnValue(out as never),
    vi.spyOn(process, 'stderr', 'get').mockReturnValue(err as never),
    vi.spyOn(console, 'log').mockImplementation((text) => void out.write(`${text}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text) => void err.write(`${text}\n`)),
  ];
  try {
    const code = await run(['node', 'teamfuse', ...args]);
    return { code, out: out.text, err: err.text };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
