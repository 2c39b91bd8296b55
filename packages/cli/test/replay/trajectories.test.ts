import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesOf } from '../support/fixture.ts';
import { answer, inTexts, reply } from '../support/mini-swe-agent.ts';
import { runHere } from '../support/run.ts';

const FILES = ['mini-swe-agent.traj.json', 'swe-agent.traj', 'atif.json'];
const DONE = '<returncode>0</returncode>\n<output>\n</output>';
const FAILED = "<returncode>2</returncode>\n<output>\nmake: no rule to make 'lark'\n</output>";

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'teamfuse-trajectories-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** A trajectory of as many steps, each a command and the same answer. */
function trajectory(steps: number, command: (i: number) => string, said: string): string {
  const messages = Array.from({ length: steps }, (_, i) => [
    reply(`\`\`\`bash\n${command(i)}\n\`\`\``),
    answer(said),
  ]);
  return inTexts(messages.flat(), {}, 'LimitsExceeded');
}

interface Shown {
  readonly source: string;
  readonly turns: number;
  readonly trips: readonly unknown[];
}

async function replayed(): Promise<readonly Shown[]> {
  const { out } = await runHere(['replay', '--no-policy', '--json', '--all', folder]);
  const lines = out.trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('trajectories in a replay', () => {
  it('[CLI4] are found in a directory, whatever the ends of their names', async () => {
    for (const name of FILES) writeFileSync(join(folder, name), bytesOf(name));
    writeFileSync(join(folder, 'preds.json'), '{"shop-7":{"model_patch":""}}\n');
    const sources = (await replayed()).map(({ source }) => source);
    expect(new Set(sources)).toEqual(new Set(FILES.map((name) => join(folder, name))));
  });

  it('[CLI1] are left alone while sixty commands answer nothing, and stopped when two recur', async () => {
    const moving = trajectory(60, (i) => `git mv src/a${i}.py src/b${i * 3}.py`, DONE);
    const turning = trajectory(20, (i) => (i % 2 === 0 ? 'make test' : 'make install'), FAILED);
    writeFileSync(join(folder, 'moving.traj.json'), moving);
    writeFileSync(join(folder, 'turning.traj.json'), turning);
    const [left, stopped] = await replayed();
    expect(left).toMatchObject({ turns: 61, trips: [] });
    expect(stopped?.turns).toBe(21);
    expect(stopped?.trips).toHaveLength(1);
  });
});
