import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { start } from './sqlite-node.ts';

const HOWS = ['at once', 'at once', 'at once', 'at once', 'later', 'later', 'later', 'later'];
const HOLD_MS = '5';

/** Has eight processes take a lock so often each: one holds it at a time. */
export async function takeTurns(file: string, count: number): Promise<void> {
  const processes = HOWS.map((how) => start('lock-lines.ts', how, file, String(count), HOLD_MS));
  await Promise.all(processes.map(({ ended }) => ended));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(HOWS.length * count * 2);
  for (let at = 0; at < lines.length; at += 2) {
    const [begins, ends] = [lines[at]?.split(' '), lines[at + 1]?.split(' ')];
    expect([begins?.[0], ends?.[0], ends?.[1]]).toEqual(['begins', 'ends', begins?.[1]]);
  }
}
