import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { StreamIO } from '../../src/index.ts';
import { coloured } from '../../src/io/io-stream.ts';

function streams(isTTY = false) {
  const input = new PassThrough();
  const output = Object.assign(new PassThrough(), { isTTY });
  const io = new StreamIO(
    () => input,
    () => output,
  );
  return { io, input, written: () => String(output.read() ?? '') };
}

describe('StreamIO', () => {
  test('[IO1] asks and takes a line for each question', async () => {
    const { io, input, written } = streams();
    const first = io.input('Name: ');
    input.write('Ada\nByron\n');
    expect(await first).toBe('Ada');
    expect(await io.input('Surname: ')).toBe('Byron');
    expect(written()).toBe('Name: Surname: ');
  });

  test('[IO1] takes empty lines for answers', async () => {
    const { io, input } = streams();
    input.write('\n');
    expect(await io.input('? ')).toBe('');
  });

  test('[IO2] says so when the input ends, before the question or after', async () => {
    const { io, input } = streams();
    const question = io.input('? ');
    input.end();
    await expect(question).rejects.toMatchObject({ code: 'INPUT_ENDED' });
    await expect(io.input('? ')).rejects.toMatchObject({ code: 'INPUT_ENDED' });
  });

  test('[IO2] a last line without line break counts', async () => {
    const { io, input } = streams();
    input.end('last');
    expect(await io.input('? ')).toBe('last');
  });

  test('[IO3] prints in colour on terminals only', () => {
    const plain = streams();
    plain.io.print('\u001b[33mA\u001b[39m (to B)');
    expect(plain.written()).toBe('A (to B)\n');
    const terminal = streams(true);
    terminal.io.print('\u001b[33mA\u001b[39m');
    expect(terminal.written()).toBe('\u001b[33mA\u001b[39m\n');
    expect(coloured('yellow', 'A')).toContain('A');
  });
});
