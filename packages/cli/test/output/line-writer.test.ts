import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { LineWriter } from '../../src/output/line-writer.ts';

describe('LineWriter', () => {
  it('[SHOW5] leaves no listeners on a stream that was slower, however often', async () => {
    let written = '';
    const slow = new Writable({
      highWaterMark: 1,
      write(chunk, _encoding, done) {
        written += String(chunk);
        setImmediate(done);
      },
    });
    const lines = new LineWriter(slow, true);
    for (let i = 0; i < 20; i++) await lines.line(`line ${i}`);
    expect(written.trimEnd().split('\n')).toHaveLength(20);
    expect(['drain', 'close', 'error'].map((event) => slow.listenerCount(event))).toEqual([
      0, 0, 1,
    ]);
  });
});
