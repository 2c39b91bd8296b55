import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Breaker, type Signal } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { recordTo } from '@teamfuse/recorder';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Board, type ShownConversation } from '../../src/watch/board.ts';
import { FollowedRecording } from '../../src/watch/follow.ts';
import { start } from '../support/bin.ts';
import { runHere } from '../support/run.ts';

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-follow-'));
  file = join(folder, 'run.jsonl');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const said = (at: number, text: string): Signal => ({ kind: 'message', at, agent: 'writer', text });
const line = (at: number, text: string): string => `${JSON.stringify(said(at, text))}\n`;
const textsOf = (board: Board): string[] =>
  board.all().flatMap(({ lines }) => lines.map(({ text }) => text));

/** Follows the file while `work` runs; `until` waits for the board to be so. */
async function following(
  work: (board: Board, until: (isSo: () => boolean) => Promise<void>) => Promise<void>,
): Promise<string[]> {
  const board = new Board();
  const broken: string[] = [];
  const { disclosure } = internalsOf(new Breaker());
  const followed = new FollowedRecording(file, board, disclosure, (number) => {
    broken.push(`${number}`);
  });
  const stopping = new AbortController();
  const over = followed.follow(stopping.signal);
  const until = (isSo: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (isSo()) resolve();
      const subscription = followed.changes.subscribe(() => {
        if (!isSo()) return;
        subscription.unsubscribe();
        resolve();
      });
    });
  await work(board, until);
  stopping.abort();
  await over;
  return broken;
}

describe('a followed recording', () => {
  it.each([
    ['is a directory', '', 'expected a file, received a directory'],
    ['is in a file', 'run.jsonl/x', 'a part of its path is a file, not a directory'],
  ])('[WAT15] that %s is one line', async (_, name, problem) => {
    writeFileSync(file, '');
    const path = join(folder, name);
    const { code, err } = await runHere(['watch', path]);
    expect([code, err]).toEqual([3, `teamfuse: ${path}: ${problem}\n`]);
  });

  it('[WAT7] is shown from its first line on while it grows, with the trips of the live run', async () => {
    const broken = await following(async (board, until) => {
      const breaker = new Breaker({ maxMessages: 2 });
      recordTo(breaker, file, { run: 'may' });
      breaker.observe(said(0, 'One.'));
      await until(() => textsOf(board).length === 1);
      breaker.observe(said(1, 'Two.'));
      await until(() => board.tripped === 1);
      const [shown] = board.all() as [ShownConversation];
      expect(shown).toMatchObject({ id: 'may', trip: { kind: 'limit' } });
      expect(textsOf(board)).toEqual(['One.', 'Two.']);
    });
    expect(broken).toEqual([]);
  });

  it('[WAT7] waits for the rest of a line, and skips what is broken', async () => {
    const broken = await following(async (board, until) => {
      const [half, rest] = [line(0, 'One.').slice(0, 20), line(0, 'One.').slice(20)];
      writeFileSync(file, `{"kind"\n{"record":"trip","trip":{"kind":[]}}\n${half}`);
      appendFileSync(file, rest);
      await until(() => textsOf(board).length === 1);
      expect(board.tripped).toBe(0);
    });
    expect(broken).toEqual(['1', '2']);
  });

  it('[WAT7] goes on with the next file when a full one is moved aside, or was emptied', async () => {
    writeFileSync(file, line(0, 'One.'));
    await following(async (board, until) => {
      await until(() => textsOf(board).length === 1);
      appendFileSync(file, line(1, 'Two.'));
      renameSync(file, join(folder, 'run.1.jsonl'));
      writeFileSync(file, line(2, 'Three.') + line(3, 'Four.'));
      await until(() => textsOf(board).length === 4);
      writeFileSync(file, line(4, 'Five.'));
      await until(() => textsOf(board).length === 5);
      expect(textsOf(board)).toEqual(['One.', 'Two.', 'Three.', 'Four.', 'Five.']);
    });
  });

  it('[WAT8] ends with a summary on Ctrl-C', async () => {
    writeFileSync(file, line(0, 'One.'));
    const child = start(['watch', file]);
    const closed = new Promise((resolve) => child.once('close', resolve));
    const lines: string[] = [];
    for await (const text of createInterface({ input: child.stdout })) {
      lines.push(text);
      if (!text.startsWith('http')) continue;
      const response = await fetch(`${text}events`);
      const reader = response.body?.getReader();
      await reader?.read();
      child.kill('SIGINT');
      await reader?.cancel().catch(() => {});
    }
    expect(await closed).toBe(0);
    expect(lines.at(-1)).toMatch(/^0 of [01] conversations tripped$/);
  });

  it('[WAT8] ends with 2 for a port that is none', async () => {
    const child = start(['watch', file, '--port', '70000']);
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2);
  });
});
