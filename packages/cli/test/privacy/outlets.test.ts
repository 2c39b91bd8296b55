import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Breaker, type Signal } from '@teamfuse/core';
import { recordTo } from '@teamfuse/recorder';
import { afterAll, describe, expect, it } from 'vitest';
import { failing, followed, showNoSecret, toldOf } from '../support/outlets.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-outlets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORD = 'Kestrel';
const KEY = `sk-proj-${'0a1b2c3d4e5f6g7h8i9j'}`;

describe('every command', () => {
  it('[CLI16] shows no form of a secret that a recording holds', () => showNoSecret(folder, 10));

  it('[CLI17] shows nothing that was said under a policy with excerpts = false', async () => {
    const breaker = new Breaker();
    const file = join(folder, 'said.jsonl');
    const recorder = recordTo(breaker, file, { redact: false });
    for (const line of failing('', `${WORD} ${KEY}`)) breaker.observe(JSON.parse(line) as Signal);
    await recorder.close();
    writeFileSync(file, `${readFileSync(file, 'utf8')}{"text": "${WORD}"\n`);
    const policy = join(folder, 'teamfuse.toml');
    writeFileSync(policy, 'excerpts = false\n');
    const quoted = await toldOf(file, ['--no-policy']);
    const told = {
      ...(await toldOf(file, ['--policy', policy])),
      watch: await followed(file, { excerpts: false }),
    };
    for (const [outlet, output] of Object.entries(told)) {
      expect([outlet, output.includes(WORD), output.includes(KEY)]).toEqual([outlet, false, false]);
    }
    expect(Object.values(quoted).filter((output) => output.includes(WORD)).length).toBeGreaterThan(
      3,
    );
    expect(await followed(file, {})).toContain(WORD);
    expect(await followed(file, { redact: (text) => text.replaceAll(WORD, '…') })).not.toContain(
      WORD,
    );
  });
});
