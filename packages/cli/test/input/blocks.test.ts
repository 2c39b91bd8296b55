import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, blocksOf } from '../../src/input/blocks.ts';
import { linesOf } from '../../src/input/lines.ts';

const MAX_LINE = 12;

/** Lines and what is wrong with them, in the order in which they are told. */
async function told(chunks: AsyncIterable<Uint8Array>, first?: number): Promise<string[]> {
  const all: string[] = [];
  const broken = (line: number, problem: string): void => void all.push(`${line}! ${problem}`);
  for await (const batch of linesOf(chunks, MAX_LINE, broken, first)) {
    all.push(...batch.map(({ number, text }) => `${number}: ${text}`));
  }
  return all;
}

async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function cut(chunks: AsyncIterable<Uint8Array>, blockBytes: number): Promise<Block[]> {
  const blocks: Block[] = [];
  for await (const block of blocksOf(chunks, MAX_LINE, blockBytes)) blocks.push(block);
  return blocks;
}

async function toldOfBlocks(blocks: readonly Block[]): Promise<string[]> {
  const all: string[] = [];
  for (const { bytes, firstLine } of blocks) all.push(...(await told(pieces(bytes, 5), firstLine)));
  return all;
}

describe('blocks', () => {
  it('[CLI11] have the same lines under the same numbers, wherever they are cut', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 4 }),
      fc.constantFrom('', '\r', '\uFEFFé', 'x'.repeat(40)),
    );
    const size = fc.integer({ min: 1, max: 60 });
    await fc.assert(
      fc.asyncProperty(fc.array(line), size, size, async (lines, chunk, block) => {
        const bytes = new TextEncoder().encode(lines.join('\n'));
        const blocks = await cut(pieces(bytes, chunk), block);
        expect(await toldOfBlocks(blocks)).toEqual(await told(pieces(bytes, chunk)));
      }),
    );
  });

  it('[READ14] hold no more than one byte too much of a line that is too long', async () => {
    const bytes = new TextEncoder().encode(`one\n${'x'.repeat(5000)}\nthree\n${'y'.repeat(5000)}`);
    const blocks = await cut(pieces(bytes, 100), 1000);
    const size = blocks.reduce((sum, block) => sum + block.bytes.length, 0);
    expect(size).toBe('one\n\nthree\n'.length + 2 * (MAX_LINE + 1));
    expect(await toldOfBlocks(blocks)).toEqual([
      '1: one',
      `2! a line of more than ${MAX_LINE} bytes`,
      '3: three',
      `4! a line of more than ${MAX_LINE} bytes`,
    ]);
  });

  it('[CLI11] keep the whole lines of an input that breaks off', async () => {
    const chunks = (async function* () {
      yield new TextEncoder().encode('one\ntwo\nthr');
      throw new Error('the disk is gone');
    })();
    const blocks: Block[] = [];
    const cutting = async (): Promise<void> => {
      for await (const block of blocksOf(chunks, MAX_LINE)) blocks.push(block);
    };
    await expect(cutting()).rejects.toThrow('the disk is gone');
    expect(await toldOfBlocks(blocks)).toEqual(['1: one', '2: two']);
  });
});
