import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { teamfuse } from '../support/bin.ts';
import { progress, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'teamfuse-policy-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = writeLines(join(folder, 'fine.jsonl'), progress('fine', 9));
const policy = join(folder, 'teamfuse.toml');
writeFileSync(
  policy,
  'maxMessages = 5\n[teams.long]\nmaxMessages = 7\n[teams.watched]\nreaction = "observe"\n',
);
const below = join(folder, 'below');
mkdirSync(below);

/** What the trip says, if there is one. */
async function reason(args: readonly string[]): Promise<string | undefined> {
  const { out } = await runHere(['explain', file, ...args]);
  return /^limit: .*$/m.exec(out)?.[0];
}

describe('the policy', () => {
  it('[CLI12] is the file of --policy, with the section of --team on top', async () => {
    expect(await reason(['--policy', policy])).toContain('the limit of 5 messages');
    expect(await reason(['--policy', policy, '--team', 'long'])).toContain(
      'the limit of 7 messages',
    );
    expect(await reason(['--policy', policy, '--team', 'watched'])).toBeUndefined();
  });

  it('[CLI12] has to be there for --team', async () => {
    const { code, err } = await runHere(['replay', file, '--no-policy', '--team', 'long']);
    expect([code, err]).toEqual([
      2,
      'teamfuse: option \'--team\': expected a policy for it in place of --no-policy, received "long"\n',
    ]);
  });

  it('[CLI12] lies below --set and --only', async () => {
    expect(await reason(['--policy', policy, '--set', 'maxMessages=3'])).toContain(
      'the limit of 3 messages',
    );
    expect(await reason(['--policy', policy, '--only', 'budget'])).toBeUndefined();
    expect(
      await reason(['--policy', policy, '--team', 'watched', '--only', 'limit']),
    ).toBeUndefined();
  });

  it('[CLI12] has prices of its own for what was spent', async () => {
    const usage = { kind: 'usage', at: 0, agent: 'a', conversation: 'c', costUsd: null };
    const calls = ['my-llama', 'gpt-4o'].map((model) =>
      JSON.stringify({ ...usage, model, inputTokens: 1_000_000, outputTokens: 0 }),
    );
    const recording = writeLines(join(folder, 'calls.jsonl'), calls);
    const priced = join(folder, 'prices.toml');
    const spent = async (...args: readonly string[]): Promise<string> =>
      (await runHere(['replay', recording, ...args])).out.split('\n')[0] ?? '';
    expect(await spent('--no-policy')).toContain('$2.50');
    writeFileSync(priced, 'prices.my-llama = { inputUsdPerMillion = 3, outputUsdPerMillion = 3 }');
    expect(await spent('--policy', priced)).toContain('$5.50');
  });

  it('[CLI12] is the nearest teamfuse.toml, which is said, unless --no-policy', async () => {
    const found = await teamfuse(['replay', '--json', file], '', below);
    expect(found.err).toBe(`policy: ${policy}\n`);
    expect(JSON.parse(found.out).trips[0]).toMatchObject({ kind: 'limit', at: 5 });
    const none = await teamfuse(['replay', '--json', '--no-policy', file], '', below);
    expect([none.err, JSON.parse(none.out).trips]).toEqual(['', []]);
  });

  it('[CLI12] is refused with its place if it is wrong, or has no such team', async () => {
    const wrong = join(folder, 'wrong.toml');
    writeFileSync(wrong, 'maxMessages = 5\nmaxMesages = 6\n');
    const typo = await runHere(['replay', file, '--policy', wrong]);
    expect([typo.code, typo.err]).toEqual([2, expect.stringContaining('wrong.toml:2:1')]);
    const team = await runHere(['replay', file, '--policy', policy, '--team', 'lang']);
    expect([team.code, team.err]).toEqual([2, expect.stringContaining('long')]);
  });
});
