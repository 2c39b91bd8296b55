import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock, withLockSync } from '../../src/lock/with-lock.ts';
import { SQLITE_NODE, start } from '../support/sqlite-node.ts';
import { takeTurns } from '../support/take-turns.ts';

const OPTIONS = { timeoutMs: 50, leftAfterMs: 10_000 };

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-locks-'));
  file = join(folder, 'shared');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('a lock', () => {
  it('[LCK1] is let go of when the work is done, and when it fails', async () => {
    expect(withLockSync(file, OPTIONS, () => existsSync(`${file}.lock`))).toBe(true);
    expect(await withLock(file, OPTIONS, async () => 5)).toBe(5);
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => withLockSync(file, OPTIONS, fail)).toThrow('no');
    await expect(withLock(file, OPTIONS, async () => fail())).rejects.toThrow('no');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('[LCK2] that is young stays with its owner, however long others wait', async () => {
    await withLock(file, OPTIONS, async () => {
      const locked = expect.objectContaining({ code: 'LOCKED_FILE', file });
      expect(() => withLockSync(file, OPTIONS, () => 5)).toThrow(locked);
      await expect(withLock(file, OPTIONS, async () => 5)).rejects.toEqual(locked);
      expect(existsSync(`${file}.lock`)).toBe(true);
    });
  });

  it('[LCK3] that is too old is taken over, and its first owner leaves it to the next one', async () => {
    let letGo = (): void => {};
    const second = await withLock(file, OPTIONS, async () => {
      const before = Date.now() / 1000 - 11;
      utimesSync(`${file}.lock`, before, before);
      return new Promise<{ readonly over: Promise<void> }>((resolve) => {
        const held = new Promise<void>((done) => {
          letGo = done;
        });
        const over = withLock(file, OPTIONS, () => {
          resolve({ over });
          return held;
        });
      });
    });
    expect(existsSync(`${file}.lock`)).toBe(true);
    letGo();
    await second.over;
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.skipIf(SQLITE_NODE === undefined)('a lock of eight processes', () => {
  it('[LCK1] is held by one at a time', () => takeTurns(file, 5));

  it('[LCK3] that was left behind by one that was killed is taken over by one at a time', async () => {
    const killed = start('hold-lock.ts', file);
    await killed.printed(1);
    await killed.kill();
    expect(readdirSync(folder)).toEqual(['shared.lock']);
    await takeTurns(file, 3);
    expect(readdirSync(folder)).toEqual(['shared']);
  });
});
