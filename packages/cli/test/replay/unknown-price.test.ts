import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fixture } from '../support/fixture.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-price-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const policy = join(folder, 'teamfuse.toml');
writeFileSync(policy, '[budget]\nmaxUsd = "$6"\n');
const file = fixture('autogen-0.4-results.jsonl');
const NOTE = /^\d conversations? ha\w+ calls of unknown price/gm;

describe('a recording that names no models', () => {
  it.each([
    ['the whole team', 'budget.maxUsd=6'],
    ['agents', 'budget.perAgent={"maxUsd":6}'],
    ['one agent', 'budget.agents={"coder":{"maxUsd":6}}'],
  ])('[CLI13] trips for its loop, not for a budget of %s', async (_, budget) => {
    const { out } = await runHere(['replay', '--json', '--set', budget, file]);
    const { trips, spent } = JSON.parse(out.split('\n')[0] as string);
    expect(trips).toMatchObject([{ kind: 'execution-storm', at: 7 }]);
    expect(spent).toMatchObject({ usd: null, unpricedTokens: spent.tokens });
  });

  it('[CLI13] is told once to have calls of unknown price', async () => {
    const { out } = await runHere(['replay', '--policy', policy, file]);
    expect(out.match(/calls of unknown price/g)).toHaveLength(1);
    const output = join(folder, 'page.html');
    for (const args of [['explain'], ['report', '-o', output], ['tune', '-o', join(folder, 'x')]]) {
      const { err } = await runHere([...args, '--policy', policy, file]);
      expect(err.match(NOTE)).toHaveLength(1);
    }
  });

  it('[CLI13] says that the money is unknown, and not nothing', async () => {
    const { out } = await runHere(['explain', '--policy', policy, file]);
    expect(out).toMatch(/spent {2}[\d,]+ tokens \(price unknown\)/);
  });

  it('[CLI13] has the prices of --model, which a budget counts', async () => {
    const args = ['replay', '--json', '--model', 'gpt-4o', file];
    const priced = await runHere([...args, '--policy', policy]);
    const { spent, trips } = JSON.parse(priced.out.split('\n')[0] as string);
    expect(trips).toMatchObject([{ kind: 'execution-storm' }]);
    expect(spent).toMatchObject({ unpricedTokens: 0, usd: expect.any(Number) });
    const poor = await runHere([...args, '--set', 'budget.maxUsd=0.0001']);
    expect(JSON.parse(poor.out.split('\n')[0] as string).trips).toMatchObject([{ kind: 'budget' }]);
  });

  it('[CLI13] refuses a --model whose price is not known', async () => {
    const { code, err } = await runHere(['explain', '--model', 'no-such-model', file]);
    expect([code, err]).toEqual([2, expect.stringContaining('a model whose price is known')]);
  });
});
