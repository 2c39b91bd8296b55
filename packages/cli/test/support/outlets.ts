import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Breaker } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import { expect } from 'vitest';
import { leakedIn, SECRET_FORMS } from '../../../core/test/support/secret-forms.ts';
import { Board } from '../../src/watch/board.ts';
import { FollowedRecording } from '../../src/watch/follow.ts';
import { writeLines } from './recordings.ts';
import { runHere } from './run.ts';

/** A team that fails until it trips, with a text wherever it can put one. */
export function failing(conversation: string, text: string): string[] {
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
export async function toldOf(
  file: string,
  flags: readonly string[],
): Promise<Record<string, string>> {
  const output = join(dirname(file), 'report.html');
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
export async function followed(
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

/** Records every so many-th form of a secret in this folder: no command shows it. */
export async function showNoSecret(folder: string, every: number): Promise<void> {
  const forms = SECRET_FORMS.filter((_, at) => at % every === 0);
  const lines = forms.flatMap(([name, text]) => failing(name, text));
  const file = writeLines(join(folder, 'forms.jsonl'), lines);
  const told: Record<string, string> = await toldOf(file, ['--no-policy']);
  told.watch = await followed(file, {});
  for (const [outlet, output] of Object.entries(told)) {
    // Digits alone also stand in drawings and figures.
    const leaks = leakedIn(
      output,
      forms.filter(([, , secret]) => /\D/.test(secret)),
    );
    expect([outlet, leaks]).toEqual([outlet, []]);
  }
  expect(told.explain).toContain('[redacted]');
  expect(told.watch).toContain('[redacted]');
}
