import { spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { BIN, start, teamfuse } from '../support/bin.ts';
import { bytesOf, fixture } from '../support/fixture.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const said = (i: number, conversation: string, text: string): string =>
  JSON.stringify({ kind: 'message', at: 1000 * i, agent: 'writer', conversation, text });

describe('teamfuse replay', () => {
  it('[CLI1] prints the trip with reason and evidence, what was spent and what would have been saved', async () => {
    const { code, out } = await teamfuse(['replay', fixture('signals.jsonl')]);
    expect(code).toBe(1);
    expect(out).toContain(
      'execution-storm at turn 7 of 9: the code failed three times in a row with the same error',
    );
    expect(out).toContain('#9 runner: exit code 1');
    expect(out).toContain('would have saved $0.0001, 370 tokens, 2 turns; spent $0.0004');
    expect(out).toContain('  If these failures are part of the work, raise executionStorm.');
    expect(out).toMatch(/^would have saved \$0\.0001, .*; 1 of 2 conversations tripped/m);
  });

  it('[CLI18] calls a conversation after its task and its team, with the id below', async () => {
    const { out } = await runHere(['replay', fixture('signals.jsonl')]);
    expect(out).toMatch(
      /^Count the rows\. {2}\(coder, runner\)\n {2}report {2}\(.*signals\.jsonl\)$/m,
    );
  });

  it('[CLI19] has a table that fits a terminal of 80 columns', async () => {
    const { out } = await runHere(['replay', fixture('signals.jsonl')]);
    const lines = out.split('\n').filter((line) => /^[┌│├└]/.test(line));
    expect(lines.length).toBeGreaterThan(4);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('[CLI2] prints one JSON object for each conversation with --json', async () => {
    const { out } = await runHere(['replay', '--json', fixture('signals.jsonl')]);
    const [report, letter] = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(report).toMatchObject({
      id: 'report',
      turns: 9,
      trips: [{ at: 7, kind: 'execution-storm', agents: ['runner'] }],
      spent: { turns: 9, tokens: 1180, usd: 0.0004, unpricedTokens: 0 },
      saved: { turns: 2, tokens: 370, usd: 0.0001 },
    });
    expect(report.trips[0].evidence.signals).toHaveLength(3);
    expect(letter).toMatchObject({ id: 'letter', trips: [], saved: { turns: 0 } });
  });

  it('[CLI14] prints its version', async () => {
    const { code, out } = await teamfuse(['--version']);
    expect(code).toBe(0);
    expect(out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('[CLI3] ends with 0 if nothing tripped, and with 1 only for the kinds of --fail-on', async () => {
    const file = fixture('signals.jsonl');
    const off = ['executionStorm=false', 'repetition=false', 'speakerCycle=false'];
    const ends: [string[], number][] = [
      [off.flatMap((option) => ['--set', option]), 0],
      [['--only', 'budget'], 0],
      [['--fail-on', 'budget,limit'], 0],
      [['--fail-on', 'execution-storm'], 1],
      [['--fail-on', 'none'], 0],
    ];
    for (const [args, code] of ends) {
      expect([args, (await runHere(['replay', file, ...args])).code]).toEqual([args, code]);
    }
  });

  it('[CLI3] ends with 2 for a wrong command line, naming what was expected', async () => {
    const wrong = [
      ['replay'],
      ['replay', 'x', '--sett', 'a=1'],
      ['replay', 'x', '--set', 'speakerCycle'],
      ['replay', 'x', '--set', 'speakerCycel.limit=4'],
      ['replay', 'x', '--set', '__proto__.x=4'],
      ['replay', 'x', '--set', '"__proto__".x=4'],
      ['replay', 'x', '--set', 'budget.models.gpt-4.1.maxUsd=4'],
      ['replay', 'x', '--set', 'executionStorm.limmit=4'],
      ['replay', 'x', '--set', 'reaction.speaker-cycel=warn'],
      ['replay', 'x', '--only', 'loops'],
      ['replay', 'x', '--only', 'repetitoin'],
      ['replay', 'x', '--threads', 'two'],
      ['unknown'],
    ];
    const told: string[] = [];
    const codes: (number | null)[] = [];
    for (const args of wrong) {
      const { code, err } = await runHere(args);
      codes.push(code);
      told.push(err);
    }
    expect(codes).toEqual(wrong.map(() => 2));
    for (const name of ['speakerCycle', 'limit', 'speaker-cycle', 'repetition']) {
      expect(told.join('')).toContain(`did you mean '${name}'?`);
    }
    expect(told.join('')).toContain('one of the kinds speaker-cycle, repetition');
    expect(told.join('')).toContain('a whole number of at least 1');
  });

  it('[CLI3] ends with 3 where something could not be read and nothing tripped', async () => {
    const path = join(folder, 'half.jsonl');
    writeFileSync(
      path,
      `${said(1, 'a', 'Good day.')}\n{"kind": "mess\n${said(2, 'a', 'How are you?')}\n`,
    );
    const half = await runHere(['replay', '--json', path]);
    expect(half.code).toBe(3);
    expect(half.err).toContain(`${path}:2: `);
    expect(JSON.parse(half.out)).toMatchObject({ id: 'a', turns: 2 });
    const missing = await runHere(['replay', join(folder, 'nowhere')]);
    expect(missing).toMatchObject({
      code: 3,
      out: expect.stringContaining('no conversations were found'),
    });
    expect(missing.err).toContain('no such file or directory');
  });

  it('[CLI4] reads standard input, gzipped files and directories, of which other files are skipped', async () => {
    const piped = await teamfuse(['replay', '--json', '-'], bytesOf('signals.jsonl').toString());
    expect(piped.out.split('\n')).toHaveLength(3);
    const place = join(folder, 'all');
    mkdirSync(join(place, 'below'), { recursive: true });
    writeFileSync(join(place, 'below', 'packed.jsonl.gz'), gzipSync(bytesOf('turns.jsonl')));
    copyFileSync(fixture('autogen-0.2.db'), join(place, 'logs.db'));
    writeFileSync(join(place, 'README.md'), 'These are recordings.\n');
    const { out, err, code } = await runHere(['replay', place]);
    expect(code).toBe(1);
    expect(out).toContain('2 of 4 conversations tripped');
    expect(out).toContain(`1 file holds no recordings: ${join(place, 'README.md')}`);
    expect(err).toBe('');
  });

  it('[CLI5] sets options of the breaker with --set', async () => {
    const args = ['replay', '--json', '--set', 'maxMessages=2', '--only', 'limit'];
    const { out } = await runHere([...args, fixture('signals.jsonl')]);
    expect(JSON.parse(out.split('\n')[0] as string).trips[0]).toMatchObject({ kind: 'limit' });
  });

  it.each(['utf-16le', 'utf-16be'])('[READ13] reads %s with its mark', async (encoding) => {
    const path = join(folder, `${encoding}.jsonl`);
    const text = Buffer.from(`\uFEFF${readFileSync(fixture('signals.jsonl'), 'utf8')}`, 'utf16le');
    writeFileSync(path, encoding === 'utf-16le' ? text : text.swap16());
    const { out } = await runHere(['replay', path]);
    const { out: plain } = await runHere(['replay', fixture('signals.jsonl')]);
    expect(out.replaceAll(path, '')).toBe(plain.replaceAll(fixture('signals.jsonl'), ''));
  });

  it.each([
    ['budget.models."gpt-4.1".maxTokens=100', 1],
    ['budget.models."gpt-4.1".maxTokens=1e6', 0],
    ['budget.agents."der Kritiker".maxTokens=100', 1],
    ['budget.agents."der Kritiker".maxTokens=1e6', 0],
  ])('[CLI5] takes names in quotes: %s', async (setting, expected) => {
    const path = join(folder, 'quoted.jsonl');
    const call = { kind: 'usage', agent: 'der Kritiker', model: 'gpt-4.1', inputTokens: 90 };
    const calls = [1, 2].map((i) => ({ ...call, at: 1000 * i, outputTokens: 9, costUsd: null }));
    writeFileSync(path, calls.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const { code } = await runHere(['replay', path, '--set', setting]);
    expect(code).toBe(expected);
  });

  it('[CLI6] shows no key that a recording holds, and nothing that steers the terminal', async () => {
    const key = 'sk-proj-abcdef0123456789ABCDEF';
    const text = `login refused for key ${key} \u001b[2J\u202E`;
    const path = join(folder, 'keys.jsonl');
    writeFileSync(
      path,
      [1, 2, 3, 4, 5, 6, 7, 8].map((i) => said(i, `chat ${key}`, text)).join('\n'),
    );
    for (const args of [[], ['--json'], ['--all']]) {
      const { out, err } = await runHere(['replay', ...args, path]);
      expect(out).not.toContain('abcdef0123');
      expect(out + err).not.toMatch(/(?!\n)\p{Cc}|\p{Cf}/u);
    }
    const { out } = await runHere(['replay', path]);
    expect(out).toContain('[redacted]');
  });

  it('[CLI7] is quiet when who reads it goes away', async () => {
    const path = join(folder, 'many.jsonl');
    const one = (i: number): string =>
      JSON.stringify({ id: `${i}`, turns: [{ speaker: 'a', content: 'Good day.' }] });
    writeFileSync(path, Array.from({ length: 20_000 }, (_, i) => one(i)).join('\n'));
    const child = start(['replay', '--json', path]);
    let err = '';
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, err]).toEqual([0, '']);
  });

  it.each([[['--help']], [['explain', fixture('signals.jsonl')]]])(
    '[CLI7] %j is quiet when who reads it goes away',
    async (args) => {
      const child = start(args);
      child.stdout.destroy();
      let err = '';
      child.stderr.on('data', (chunk) => {
        err += chunk;
      });
      const code = await new Promise((resolve) => child.on('close', resolve));
      expect([code, err]).toEqual([args[0] === '--help' ? 0 : 1, '']);
    },
  );

  it.skipIf(!existsSync('/dev/full'))(
    '[CLI21] says on one line that its output cannot be written',
    () => {
      const full = openSync('/dev/full', 'w');
      for (const args of [['--help'], ['replay', fixture('signals.jsonl')]]) {
        const { status, stderr } = spawnSync(process.execPath, [BIN, ...args], {
          encoding: 'utf8',
          stdio: ['ignore', full, 'pipe'],
        });
        expect(status).toBe(3);
        expect(stderr).toBe('teamfuse: standard output: no space left on the disk\n');
      }
      closeSync(full);
    },
  );

  it('[CLI8] ends with a partial summary on an interrupt', async () => {
    const child = start(['replay', '-']);
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.once('data', () => child.kill('SIGINT'));
    // A broken line is told at once, so that the interrupt comes once the reading is under way.
    child.stdin.on('error', () => {});
    child.stdin.write(`${said(1, 'a', 'Good day.')}\n${'{"kind"\n'.repeat(20_000)}`);
    const whole = JSON.stringify({
      id: 'whole',
      signals: [{ kind: 'message', at: 1, agent: 'a', text: 'Hello' }],
    });
    child.stdin.write(`${whole}\n`);
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code).toBe(130);
    expect(out).toContain('interrupted: these are partial results');
  });

  it('[CLI9] asks a judge only with --judge, and tells it no key', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        asked.push(body);
        const content = JSON.stringify({ probability: 0.99, reason: 'The same thanks each time.' });
        const choices = [
          { index: 0, finish_reason: 'stop', message: { role: 'assistant', content } },
        ];
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ id: 'x', object: 'chat.completion', created: 1, model: 'm', choices }),
        );
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const path = join(folder, 'thanks.jsonl');
    const words = 'thank you so much for everything once more and all the best'.split(' ');
    const thanks = Array.from({ length: 12 }, (_, i) =>
      [...words.slice(i), 'sk-proj-abcdef0123456789ABCDEF', ...words.slice(0, i)].join(' '),
    );
    writeFileSync(path, thanks.map((text, i) => said(i, 'thanks', text)).join('\n'));
    await runHere(['replay', path]);
    expect(asked).toEqual([]);
    vi.stubEnv('OPENAI_API_KEY', 'none');
    await runHere(['replay', path, '--judge', `http://127.0.0.1:${port}/v1`]);
    vi.unstubAllEnvs();
    server.close();
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.join('')).not.toContain('abcdef0123');
  });
});

describe('a map', () => {
  const map = fixture('mapped.map.json');
  const own = mkdtempSync(join(folder, 'mapped '));
  copyFileSync(fixture('mapped.jsonl'), join(own, 'mine.jsonl'));
  copyFileSync(fixture('otlp.jsonl'), join(own, 'spans.jsonl'));
  copyFileSync(fixture('session.jsonl'), join(own, 'session.jsonl'));

  it('[CLI20] reads what no format recognises, and leaves the other files to theirs', async () => {
    const { err } = await runHere(['replay', own, '--map', map, '--json', '--all']);
    const idsOf = async (...args: readonly string[]): Promise<string[]> =>
      (await runHere(['replay', '--json', ...args])).out
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => `${JSON.parse(line).id}`);
    const alone = [
      ...(await idsOf(join(own, 'mine.jsonl'), '--map', map)),
      ...(await idsOf(join(own, 'session.jsonl'))),
      ...(await idsOf(join(own, 'spans.jsonl'))),
    ];
    expect(alone.length).toBeGreaterThan(3);
    expect(await idsOf(own, '--map', map)).toEqual(alone);
    expect(err).toBe('');
  });

  it('[CLI20] passes over the mark of UTF-8 in front of a map', async () => {
    for (const name of ['mapped.map.json', 'mapped.jsonata']) {
      const marked = join(folder, name);
      writeFileSync(marked, `\uFEFF${readFileSync(fixture(name), 'utf8')}`);
      const args = ['replay', fixture('mapped.jsonl'), '--json', '--map'];
      expect(await runHere([...args, marked])).toEqual(await runHere([...args, fixture(name)]));
    }
  });

  it('[CLI20] names the pointer that found nothing, in at most ten warnings of a file', async () => {
    const odd = join(folder, 'odd.jsonl');
    writeFileSync(odd, '{"who":"me","body":"Hello."}\n'.repeat(64));
    const { err } = await runHere(['replay', odd, '--map', map]);
    const lines = err.split('\n').filter((line) => line.includes('skipped'));
    expect(lines[0]).toContain(
      'odd.jsonl:1: signal.agent: expected text, received nothing (at /who/name)',
    );
    expect(lines).toHaveLength(11);
    expect(lines[10]).toContain('54 more lines are broken');
  });

  it('[CLI20] says that there are no records where it points', async () => {
    const records = join(folder, 'records.map.json');
    writeFileSync(records, '{"records":"/steps","agent":"/who","text":"/body"}');
    const { err } = await runHere(['replay', fixture('mapped.jsonl'), '--map', records]);
    expect(err).toContain('records: there is nothing at /steps');
  });
});
