import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Breaker, type Signal } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { recordTo } from '@teamfuse/recorder';
import { afterAll, describe, expect, it } from 'vitest';
import { leakedIn, SECRET_FORMS } from '../../../core/test/support/secret-forms.ts';
import { Board } from '../../src/watch/board.ts';
import { FollowedRecording } from '../../src/watch/follow.ts';
import { writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-outlets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WORD = 'Kestrel';
const KEY = `sk-proj-${'0a1b2c3d4e5f6g7h8i9j'}`;

/** A team that fails until it trips, with a text wherever it can put one. */
function failing(conversation: string, text: string): string[] {
  const place = { agent: 'clerk', conversation };
  return Array.from({ length: 4 }, (_, i) => [
    {
      ...place,
      kind: 'tool-call',
      at: 2_000 * i,
      tool: 'connect',
      args: { note: text, nested: { deep: [text] } },
      error: { message: `refused: ${text}` },
    },
    { ...place, kind: 'message', at: 2_000 * i + 1_000, text: `I used ${text}` },
  ])
    .flat()
    .map((signal) => JSON.stringify(signal));
}

/** All that the commands make of a recording, by command. */
async function toldOf(file: string, flags: readonly string[]): Promise<Record<string, string>> {
  const output = join(folder, 'report.html');
  const told: Record<string, string> = {};
  const commands = [
    ['replay', '--all'],
    ['replay', '--json', '--all'],
    ['explain'],
    ['report', '-o', output],
  ];
  for (const [name = '', ...more] of commands) {
    const write = process.stdout.write.bind(process.stdout);
    let written = '';
    process.stdout.write = ((text: string, done?: () => void) => {
      written += text;
      done?.();
      return true;
    }) as typeof process.stdout.write;
    const { out, err } = await runHere([name, file, ...more, ...flags]).finally(() => {
      process.stdout.write = write;
    });
    told[[name, ...more].join(' ')] = `${written}\n${out}\n${err}`;
  }
  return { ...told, page: readFileSync(output, 'utf8') };
}

/** What the page of `teamfuse watch` is told of a recording. */
async function followed(
  file: string,
  options: ConstructorParameters<typeof Breaker>[0],
): Promise<string> {
  const board = new Board();
  const { disclosure } = internalsOf(new Breaker(options));
  const problems: string[] = [];
  const recording = new FollowedRecording(file, board, disclosure, (line, problem) => {
    problems.push(`${line}: ${problem}`);
  });
  const stopping = new AbortController();
  recording.changes.subscribe(() => stopping.abort());
  await recording.follow(stopping.signal);
  return JSON.stringify([board.all(), problems]);
}

describe('every command', () => {
  it('[CLI16] shows no form of a secret that a recording holds', async () => {
    const lines = SECRET_FORMS.flatMap(([name, text]) => failing(name, text));
    const file = writeLines(join(folder, 'forms.jsonl'), lines);
    const told: Record<string, string> = await toldOf(file, ['--no-policy']);
    told.watch = await followed(file, {});
    for (const [outlet, output] of Object.entries(told)) {
      // Digits alone also stand in drawings and figures.
      const leaks = leakedIn(
        output,
        SECRET_FORMS.filter(([, , secret]) => /\D/.test(secret)),
      );
      expect([outlet, leaks]).toEqual([outlet, []]);
    }
    expect(told.explain).toContain('[redacted]');
    expect(told.watch).toContain('[redacted]');
  }, 120_000);

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
