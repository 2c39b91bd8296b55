import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findFiles } from '../../src/input/find-files.ts';
import { replayFiles } from '../../src/replay/replay-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-found-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the files of a directory', () => {
  it('[CLI4] are read where one of its directories cannot be, which is told', async () => {
    const at = (...names: readonly string[]): string => join(folder, ...names);
    for (const name of ['b', 'd']) mkdirSync(at(name));
    for (const names of [['a'], ['b', 'x'], ['c'], ['d', 'y']]) writeFileSync(at(...names), '');
    const found = findFiles(folder);
    const first = await found.next();
    for (const name of ['b', 'c']) rmSync(at(name), { recursive: true });
    const sources = [first.value?.source];
    for await (const { source } of found) sources.push(source);
    expect(sources).toEqual([at('a'), at('b'), at('c'), at('d', 'y')]);
    const events = [];
    const job = { base: {}, set: [], threads: 1 };
    for await (const event of replayFiles([at('b')], job, new AbortController().signal)) {
      events.push(event);
    }
    expect(events).toMatchObject([
      { kind: 'failed', problem: `${at('b')}: no such file or directory` },
    ]);
  });
});
