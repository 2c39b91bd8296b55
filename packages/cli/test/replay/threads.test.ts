import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

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

function replay(paths: readonly string[], threads: number): ReturnType<typeof spawnSync> {
  const args = [BUILT, 'replay', '--json', '--no-policy', '--threads', `${threads}`, ...paths];
  return spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

function expectTheSame(paths: readonly string[]): ReturnType<typeof spawnSync> {
  const [one, ...others] = [1, 3].map((threads) => replay(paths, threads));
  for (const other of others) {
    expect([other.status, other.stderr]).toEqual([one?.status, one?.stderr]);
    expect(other.stdout === one?.stdout).toBe(true);
  }
  return one as ReturnType<typeof spawnSync>;
}

describe.skipIf(!existsSync(BUILT))('threads (skipped without a build)', () => {
  beforeAll(() => writeFileSync(LARGE, large()));

  it('[CLI11] read one file beside each other, and give the same bytes as one thread', () => {
    const { stdout, stderr, status } = expectTheSame([LARGE]);
    expect(status).toBe(1);
    expect(`${stdout}`.trim().split('\n').length).toBeGreaterThan(200);
    expect(stderr).toContain(`${LARGE}:14: `);
    expect(stderr).toContain(`${LARGE}:18: expected { id, turns`);
  });

  it('[CLI11] tell the first hundred broken lines of a file, and count the others', () => {
    const path = join(folder, 'broken.jsonl');
    const whole = conversation('whole', 'This is fine. '.repeat(6000));
    const lines = Array.from({ length: 60 }, (_, i) => [`{"broken ${i}"`, '{"odd": 1}', whole]);
    writeFileSync(path, lines.flat().join('\n'));
    const { stderr } = expectTheSame([path]);
    expect(stderr).toContain(': 20 more lines are broken; skipped');
  });

  it('[CLI11] read packed files, files that break off, and formats that only one thread can read', () => {
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
    const { stderr, stdout } = expectTheSame([place, join(place, 'e.txt'), join(folder, 'none')]);
    expect(stderr).toContain('b.jsonl.gz: unexpected end of file');
    expect(`${stdout}`.match(/"source":".*d\.jsonl"/g)).toHaveLength(7);
  });

  it.each([
    ['[TUNE5]', 'tune'],
    ['[REPORT7]', 'report'],
  ])('%s %s with the same result as one thread', async (_, command) => {
    const few = join(folder, 'few.jsonl');
    const one = (i: number): string => conversation(`${i}`, `This is ${i}. `.repeat(20_000));
    writeFileSync(few, Array.from({ length: 24 }, (_, i) => one(i)).join('\n'));
    const made = [1, 2].map(async (threads) => {
      const output = join(folder, `${command}${threads}`);
      const args = [BUILT, command, '--no-policy', '--threads', `${threads}`, '-o', output, few];
      const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
      const out = await text(child.stdout);
      return out.replaceAll(output, '') + readFileSync(output, 'utf8');
    });
    const [first, second] = await Promise.all(made);
    expect(first).toContain('24');
    expect(second).toEqual(first);
  });

  it('[CLI3] end with 2 for a model without a known price, as one thread does', () => {
    const codes = [1, 2].map((threads) => replay([LARGE, '--model', 'no such model'], threads));
    expect(codes.map(({ status }) => status)).toEqual([2, 2]);
    expect(codes[1]?.stderr).toEqual(codes[0]?.stderr);
  });

  it('[CLI7] end quietly when who reads them goes away', async () => {
    const child = spawn(process.execPath, [BUILT, 'replay', '--all', '--threads', '2', LARGE]);
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
    const child = spawn(process.execPath, [BUILT, 'replay', '--threads', '2', ...paths]);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.once('data', () => child.kill('SIGINT'));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(130);
    expect(out).toContain('interrupted: these are partial results');
  });
});
