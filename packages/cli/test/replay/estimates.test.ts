import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Signal } from '@teamfuse/core';
import { afterAll, describe, expect, it } from 'vitest';
import { SpendCounter } from '../../src/replay/spend.ts';
import { loop, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-estimates-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A text of this many tokens. */
const text = (tokens: number): string => 'word'.repeat(tokens);
const said = (tokens: number): Signal => ({
  kind: 'message',
  at: 0,
  agent: 'writer',
  text: text(tokens),
});
const ran: Signal = {
  kind: 'execution',
  at: 0,
  agent: 'runner',
  language: 'sh',
  code: text(5),
  exitCode: 0,
  output: text(20),
};

function counted(signals: readonly Signal[]): SpendCounter {
  const counter = new SpendCounter((_, usage) => (usage.inputTokens + usage.outputTokens) / 1000);
  for (const signal of signals) counter.add(signal);
  return counter;
}

describe('what a recording without usage took', () => {
  it('[GUESS1] is estimated: each call reads what was said before, and writes what comes next', () => {
    const { spend } = counted([
      { kind: 'human-input', at: 0, agent: 'user', text: text(100) },
      said(10),
      said(30),
    ]);
    expect(spend).toEqual({
      turns: 3,
      tokens: 100 + 10 + (110 + 30),
      usd: 0.25,
      unpricedTokens: 0,
      isEstimate: true,
    });
  });

  it('[GUESS2] has one call for a message and the step that it asks for, and one for each further step', () => {
    expect(counted([said(10), ran]).spend.tokens).toBe(10);
    expect(counted([said(10), ran, ran]).spend.tokens).toBe(10 + (10 + 20 + 5));
  });

  it('[GUESS3] reads no longer a history than models do', () => {
    expect(counted([said(200_000), said(1)]).spend.tokens).toBe(200_000 + 128_000 + 1);
  });

  it('[GUESS4] is not estimated where usage is reported, also if that comes late', () => {
    const usage: Signal = {
      kind: 'usage',
      at: 0,
      agent: 'writer',
      model: 'm',
      inputTokens: 7,
      outputTokens: 1,
      costUsd: null,
    };
    const { spend } = counted([said(10), usage]);
    expect(spend).toMatchObject({ tokens: 8, usd: null, unpricedTokens: 8, isEstimate: false });
  });

  it('[GUESS5] is saved from the stop on', () => {
    const counter = counted([said(10)]);
    counter.mark();
    counter.add(said(5));
    expect(counter.saved).toMatchObject({ turns: 1, tokens: 15, usd: 0.015, isEstimate: true });
  });

  it('[GUESS6] is said to be estimated, in money where --model gives a price', async () => {
    const file = writeLines(join(folder, 'loop.jsonl'), loop('weekly', 40));
    const plain = await runHere(['replay', file]);
    expect(plain.out).toMatch(/^would have saved about [\d,]+ tokens, \d+ turns; 1 of 1/m);
    expect(plain.out).toContain('no usage is recorded in 1 conversation, so it is estimated');
    expect(plain.out).toContain('--model adds the money');
    const priced = await runHere(['replay', file, '--model', 'gpt-4o']);
    expect(priced.out).toMatch(/^would have saved about \$0\.\d{4}, about [\d,]+ tokens/m);
    expect(priced.out).not.toContain('--model adds the money');
  });
});
