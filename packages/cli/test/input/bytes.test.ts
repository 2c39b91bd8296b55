import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { plain } from '../../src/input/bytes.ts';

const TEXT = '{"text":"Grüße"}\n';
const UTF_16 = Buffer.from(`\uFEFF${TEXT}`, 'utf16le');

/** The text in bytes that arrive in pieces of this size. */
async function textIn(bytes: Uint8Array, size = bytes.length): Promise<string> {
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  })();
  const parts: Uint8Array[] = [];
  for await (const part of plain(pieces)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('bytes', () => {
  it('[READ13] are unpacked and read as UTF-16, one after the other', async () => {
    expect(await textIn(gzipSync(UTF_16))).toBe(TEXT);
  });

  it.each([
    ['gzipped', gzipSync(TEXT)],
    ['UTF-16', UTF_16],
    ['plain', Buffer.from(TEXT)],
  ])(
    '[READ13] that are %s are known by their mark, also where it arrives in pieces',
    async (_, bytes) => {
      expect(await textIn(bytes, 1)).toBe(TEXT);
    },
  );

  it('[READ13] may be fewer than a mark has', async () => {
    expect(await textIn(Buffer.from('1'))).toBe('1');
    expect(await textIn(Buffer.alloc(0), 1)).toBe('');
  });
});
