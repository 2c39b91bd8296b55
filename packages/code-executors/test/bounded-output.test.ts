import { describe, expect, test } from 'vitest';
import { BoundedOutput } from '../src/bounded-output.ts';

function outputOf(maxBytes: number, ...chunks: string[]): string {
  const output = new BoundedOutput(maxBytes);
  for (const chunk of chunks) output.append(Buffer.from(chunk));
  return output.text();
}

describe('BoundedOutput', () => {
  test('[OUT1] keeps everything up to the limit', () => {
    expect(outputOf(10, 'abcdef', 'ghij')).toBe('abcdefghij');
  });

  test('[OUT1] keeps the first and the last half and counts what is between', () => {
    expect(outputOf(10, 'abcdefgh', 'ijklmnopq')).toBe('abcde\n[... 7 bytes left out ...]\nmnopq');
  });

  test('[OUT1] keeps the same whatever pieces the bytes come in', () => {
    const bytes = 'abcdefghijklmnopqrstuvwxyz'.repeat(3);
    const whole = outputOf(11, bytes);
    expect(outputOf(11, ...bytes)).toBe(whole);
    expect(outputOf(11, ...(bytes.match(/.{1,7}/g) ?? []))).toBe(whole);
    expect(outputOf(11, bytes.slice(0, 1), bytes.slice(1))).toBe(whole);
  });

  test('[OUT1] keeps no tail when a single byte is allowed', () => {
    expect(outputOf(1, 'abc')).toBe('a\n[... 2 bytes left out ...]\n');
  });

  test('[OUT2] does not grow with what is appended in single bytes', () => {
    const output = new BoundedOutput(1_000);
    const byte = Buffer.from('x');
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    for (let count = 0; count < 2_000_000; count += 1) output.append(byte);
    const grown = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before;
    expect(grown).toBeLessThan(64 * 2 ** 20);
    expect(output.text()).toContain('1999000 bytes left out');
  });

  test('[OUT3] never cuts a character in half', () => {
    for (let limit = 1; limit < 24; limit += 1) {
      expect(outputOf(limit, 'é漢😀'.repeat(20))).not.toContain('\ufffd');
    }
  });
});
