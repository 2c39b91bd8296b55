import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linesOf } from '../../src/input/lines.ts';
import { read } from '../support/read.ts';

async function lines(text: string, size: number, max = 1000): Promise<[string[], string[]]> {
  const bytes = new TextEncoder().encode(text);
  const broken: string[] = [];
  const found: string[] = [];
  const chunks = (async function* () {
    for (let i = 0; i < bytes.length; i += size) yield bytes.subarray(i, i + size);
  })();
  for await (const batch of linesOf(chunks, max, (line) => void broken.push(`${line}`))) {
    found.push(...batch.map(({ number, text: line }) => `${number}:${line}`));
  }
  return [found, broken];
}

describe('lines', () => {
  it('[READ13] are those of the text, however its bytes arrive', async () => {
    const texts = fc.array(
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), async (all, size) => {
        const expected = all.flatMap((text, i) => (text.trim() === '' ? [] : [`${i + 1}:${text}`]));
        expect((await lines(all.join('\n'), size))[0]).toEqual(expected);
      }),
    );
  });

  it('[READ14] that are too long are skipped, told with their number, and never held', async () => {
    const text = `one\n${'x'.repeat(50)}\nthree\n${'y'.repeat(9)}`;
    for (const size of [1, 7, 100]) {
      expect(await lines(text, size, 8)).toEqual([
        ['1:one', '3:three'],
        ['2', '4'],
      ]);
    }
  });

  it('[READ14] one too long in the middle of a recording loses only itself', async () => {
    const signal = (i: number, text: string): string =>
      JSON.stringify({ kind: 'message', at: i, agent: 'writer', text });
    const text = [signal(1, 'a'), signal(2, 'b'.repeat(9000)), signal(3, 'c')].join('\n');
    const limits = { maxLineBytes: 1000, maxDocumentBytes: 1000 };
    const { conversations, broken } = await read('file', text, limits);
    expect([...conversations.values()][0]?.map(({ at }) => at)).toEqual([1, 3]);
    expect(broken).toEqual(['2: a line of more than 1000 bytes']);
  });
});
