import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Ran, teamfuse } from './bin.ts';
import { runHere } from './run.ts';

/** Threads run what is built: Node does not run the sources. */
export const IS_BUILT: boolean = existsSync(
  fileURLToPath(new URL('../../dist/bin.js', import.meta.url)),
);

/** Files of a test. */
interface Files {
  readonly folder: string;
  /** A recording of five megabytes with everything that lines can be. */
  readonly large: string;
}

/** Makes the files of the tests around it, and removes them after these. */
export function largeFiles(): Files {
  const folder = mkdtempSync(join(tmpdir(), 'teamfuse-threads-'));
  const files = { folder, large: join(folder, 'large.jsonl') };
  beforeAll(() => writeFileSync(files.large, large()));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return files;
}

/** A short conversation in a long line. */
export function conversation(id: string, unread: string): string {
  const turn = { speaker: 'writer', content: unread.slice(0, 100) };
  return JSON.stringify({ id, unread, turns: [turn, turn, turn, turn, turn, turn] });
}

function large(): string {
  const lines = Array.from({ length: 300 }, (_, i) => {
    const line = conversation(
      `chat ${i}`,
      `${i} élan 漢字 🙂 `.repeat(i % 50 === 0 ? 60_000 : 300),
    );
    if (i % 7 === 0) return `${line}\r`;
    if (i % 11 === 0) return `\uFEFF${line}`;
    if (i % 13 === 0) return line.slice(0, -9);
    if (i % 17 === 0) return '{"odd": true}';
    if (i % 19 === 0) return '';
    return i % 23 === 0 ? JSON.stringify({ turns: [{ speaker: 'a', content: 'no id' }] }) : line;
  });
  return `\uFEFF${lines.join('\n')}`;
}

const replaying = (threads: number, paths: readonly string[]): string[] => [
  ...['replay', '--json', '--no-policy', '--threads', `${threads}`],
  ...paths,
];

/** Several threads run in a process of their own, and give what one gives in this process. */
export async function expectTheSame(paths: readonly string[], threads = 2): Promise<Ran> {
  const one = await runHere(replaying(1, paths));
  const several = await teamfuse(replaying(threads, paths));
  expect([several.code, several.err]).toEqual([one.code, one.err]);
  expect(several.out === one.out).toBe(true);
  return several;
}

/** One thread and two make the same of a file that several read. */
export async function commandsTheSame(folder: string, command: 'tune' | 'report'): Promise<void> {
  const few = join(folder, 'few.jsonl');
  const one = (i: number): string => conversation(`${i}`, `This is ${i}. `.repeat(20_000));
  writeFileSync(few, Array.from({ length: 24 }, (_, i) => one(i)).join('\n'));
  const madeBy = async (ran: typeof teamfuse, threads: number): Promise<string> => {
    const output = join(folder, `${command}${threads}`);
    const args = [command, '--no-policy', '--threads', `${threads}`, '-o', output, few];
    const { out } = await ran(args);
    return out.replaceAll(output, '') + readFileSync(output, 'utf8');
  };
  const first = await madeBy(runHere, 1);
  expect(first).toContain('24');
  expect(await madeBy(teamfuse, 2)).toEqual(first);
}
