import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { start } from '../support/bin.ts';
import {
  commandsTheSame,
  conversation,
  expectTheSame,
  IS_BUILT,
  largeFiles,
} from '../support/threads.ts';

describe.skipIf(!IS_BUILT)('threads (needs a build)', () => {
  const files = largeFiles();

  it('[CLI11] tell the first ten broken lines of a file, and count the others', async () => {
    const path = join(files.folder, 'broken.jsonl');
    const whole = conversation('whole', 'This is fine. '.repeat(6000));
    const lines = Array.from({ length: 60 }, (_, i) => [`{"broken ${i}"`, '{"odd": 1}', whole]);
    writeFileSync(path, lines.flat().join('\n'));
    const { err } = await expectTheSame([path]);
    expect(err).toContain(': 110 more lines are broken; skipped');
  });

  it('[CLI11] read packed files, files that break off, and formats that only one thread can read', async () => {
    const place = join(files.folder, 'mixed');
    mkdirSync(place);
    const secret = (i: number): string => conversation(`${i}`, randomBytes(20_000).toString('hex'));
    const packed = gzipSync(Array.from({ length: 70 }, (_, i) => secret(i)).join('\n'));
    writeFileSync(join(place, 'a.jsonl.gz'), packed);
    writeFileSync(join(place, 'b.jsonl.gz'), packed.subarray(0, packed.length / 2));
    writeFileSync(join(place, 'c.jsonl'), readFileSync(files.large));
    const said = (i: number): string =>
      JSON.stringify({
        kind: 'message',
        at: i,
        agent: 'a',
        conversation: `${i % 7}`,
        text: `${i}`,
      });
    const signals = Array.from({ length: 5000 }, (_, i) => said(i));
    writeFileSync(join(place, 'd.jsonl'), signals.join('\n'));
    writeFileSync(join(place, 'e.txt'), 'nothing\n'.repeat(50_000));
    const paths = [place, join(place, 'e.txt'), join(files.folder, 'none')];
    const { err, out } = await expectTheSame(paths, 3);
    expect(err).toContain('b.jsonl.gz: unexpected end of file');
    expect(out.match(/"source":".*d\.jsonl"/g)).toHaveLength(7);
  });

  it('[REPORT7] report with the same result as one thread', () =>
    commandsTheSame(files.folder, 'report'));

  it('[CLI7] end quietly when who reads them goes away', async () => {
    const child = start(['replay', '--all', '--threads', '2', files.large]);
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.on('close', resolve))).not.toBe(null);
    expect(err).not.toContain('EPIPE');
  });

  it('[CLI8] end with a partial summary on an interrupt', async () => {
    const paths = Array.from({ length: 40 }, () => files.large);
    const child = start(['replay', '--threads', '2', ...paths]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.once('data', () => child.kill('SIGINT'));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    expect(out).toContain('interrupted: these are partial results');
  });

  it('[CLI11] read several files, and give the same bytes as one thread', async () => {
    const place = join(files.folder, 'several');
    mkdirSync(place);
    const turn = { speaker: 'writer', content: 'The report is not ready yet. '.repeat(1000) };
    for (const name of ['a', 'b', 'c']) {
      const one = (i: number): string => JSON.stringify({ id: `${name}${i}`, turns: [turn, turn] });
      const lines = Array.from({ length: 60 }, (_, i) => one(i));
      writeFileSync(join(place, `${name}.jsonl`), [...lines, '{"id"'].join('\n'));
    }
    const { out } = await expectTheSame([place]);
    expect(out.trim().split('\n')).toHaveLength(180);
  });
});
