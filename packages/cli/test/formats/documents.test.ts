import { describe, expect, it } from 'vitest';
import { UnknownFormatError } from '../../src/index.ts';
import { read } from '../support/read.ts';

const CHAT = [
  { role: 'user', content: 'Count the rows.' },
  { role: 'assistant', content: 'There are 12.' },
];
const DOCUMENT = JSON.stringify(CHAT, undefined, 2);

describe('a JSON document of many lines', () => {
  it.each([
    ['breaks off', DOCUMENT.slice(0, -9)],
    ['is followed by another one', `${DOCUMENT}\n${DOCUMENT}`],
  ])('[READ12] that %s is refused as what it is', async (_, text) => {
    const reading = read('chat.json', text);
    await expect(reading).rejects.toThrow(UnknownFormatError);
    await expect(reading).rejects.toThrow(
      'chat.json: expected a JSON document, which is broken, incomplete or followed by something else',
    );
  });

  it('[READ12] that is too large is refused with what it may have', async () => {
    const large = JSON.stringify([...CHAT, { role: 'user', content: 'x'.repeat(70_000) }], null, 2);
    const limits = { maxLineBytes: 100_000, maxDocumentBytes: 60_000 };
    await expect(read('chat.json', large, limits)).rejects.toThrow(
      'chat.json: a document of more than 60000 bytes',
    );
  });

  it('[READ12] that is whole is read', async () => {
    expect((await read('chat.json', DOCUMENT)).conversations.get('chat.json')).toHaveLength(2);
  });
});
