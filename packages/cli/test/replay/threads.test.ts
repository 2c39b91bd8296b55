import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ran, start, teamfuse } from '../support/bin.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Threads run what is built: Node does not run the sources. */
const BUILT = fileURLToPath(new URL('../../dist/bin.js', import.meta.url));
const LARGE = join(folder, 'large.jsonl');

/** A short conversation in a long line. */
function conversation(id: string, unread: string): string {
  const turn = { speaker: 'writer', content: unread.slice(0, 100) };
  return JSON.stringify({ id, unread, turns: [turn, turn, turn, turn, turn, turn] });
}

/** Recordings of five megabytes with everything that lines can be. */
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
async function expectTheSame(paths: readonly string[], threads = 2): Promise<Ran> {
  const one = await runHere(replaying(1, paths));
  const several = await teamfuse(replaying(threads, paths));
  expect([several.code, several.err]).toEqual([one.code, one.err]);
  expect(several.out === one.out).toBe(true);
  return several;
}

describe.skipIf(!existsSync(BUILT))('threads (skipped without a build)', () => {
  beforeAll(() => writeFileSync(LARGE, large()));

  it('[CLI11] read one file beside each other, and give the same bytes as one thread', async () => {
    const { out, err, code } = await expectTheSame([LARGE]);
    expect(code).toBe(1);
    expect(out.trim().split('\n').length).toBeGreaterThan(200);
    expect(err).toContain(`${LARGE}:14: `);
    expect(err).toContain(`${LARGE}:18: expected { id, turns`);
  });

  it('[CLI11] tell the first hundred broken lines of a file, and count the others', async () => {
    const path = join(folder, 'broken.jsonl');
    const whole = conversation('whole', 'This is fine. '.repeat(6000));
    const lines = Array.from({ length: 60 }, (_, i) => [`{"broken ${i}"`, '{"odd": 1}', whole]);
    writeFileSync(path, lines.flat().join('\n'));
    const { err } = await expectTheSame([path]);
    expect(err).toContain(': 20 more lines are broken; skipped');
  });

  it('[CLI11] read packed files, files that break off, and formats that only one thread can read', async () => {
    const place = join(folder, 'mixed');
    mkdirSync(place);
    const secret = (i: number): string => conversation(`${i}`, randomBytes(20_000).toString('hex'));
    const packed = gzipSync(Array.from({ length: 70 }, (_, i) => secret(i)).join('\n'));
    writeFileSync(join(place, 'a.jsonl.gz'), packed);
    writeFileSync(join(place, 'b.jsonl.gz'), packed.subarray(0, packed.length / 2));
    writeFileSync(join(place, 'c.jsonl'), readFileSync(LARGE));
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
    const paths = [place, join(place, 'e.txt'), join(folder, 'none')];
    const { err, out } = await expectTheSame(paths, 3);
    expect(err).toContain('b.jsonl.gz: unexpected end of file');
    expect(out.match(/"source":".*d\.jsonl"/g)).toHaveLength(7);
  });

  it.each([
    ['[TUNE5]', 'tune'],
    ['[REPORT7]', 'report'],
  ])('%s %s with the same result as one thread', async (_, command) => {
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
  });

  it('[CLI3] end with 2 for a model without a known price, as one thread does', async () => {
    const { code } = await expectTheSame([LARGE, '--model', 'no such model']);
    expect(code).toBe(2);
  });

  it('[CLI7] end quietly when who reads them goes away', async () => {
    const child = start(['replay', '--all', '--threads', '2', LARGE]);
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.destroy();
    expect(await new Promise((resolve) => child.on('close', resolve))).not.toBe(null);
    expect(err).not.toContain('EPIPE');
  });

  it('[CLI8] end with a partial summary on an interrupt', async () => {
    const paths = Array.from({ length: 40 }, () => LARGE);
    const child = start(['replay', '--threads', '2', ...paths]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.once('data', () => child.kill('SIGINT'));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    expect(out).toContain('interrupted: these are partial results');
  });
});
