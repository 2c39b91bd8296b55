import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { read } from '../support/read.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-pictures-'));
afterAll(() => rmSync(folder, { recursive: true }));

const dataOf = (seed: string): string => createHash('sha512').update(seed).digest('base64');

/** The results of calls with these pictures, as a recording tells them. */
async function results(lines: (seed: string, n: number) => readonly object[], seeds: string[]) {
  const file = join(folder, `${seeds.join('-')}.jsonl`);
  const told = seeds.flatMap((seed, n) => lines(seed, n));
  writeFileSync(file, told.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { conversations } = await read(file);
  return [...conversations.values()]
    .flat()
    .flatMap((signal) => (signal.kind === 'tool-call' ? [[signal.tool, signal.result]] : []));
}

const session = (seed: string, n: number) => {
  const call = { type: 'tool_use', id: `t${n}`, name: 'scroll', input: {} };
  const image = { type: 'image', source: { type: 'base64', data: dataOf(seed) } };
  const result = { type: 'tool_result', tool_use_id: `t${n}`, content: [image] };
  const entry = (role: string, content: object[]) => ({
    ...{ type: role, sessionId: 's', timestamp: new Date(n * 1000).toISOString() },
    message: { role, content },
  });
  return [entry('assistant', [call]), entry('user', [result])];
};

const computer = (seed: string, n: number) => [
  { type: 'computer_call', call_id: `c${n}`, action: { type: 'scroll' } },
  {
    type: 'computer_call_output',
    call_id: `c${n}`,
    output: { type: 'computer_screenshot', image_url: `data:image/png;base64,${dataOf(seed)}` },
  },
];

describe.each([
  ['a session of a coding agent', 'scroll', session],
  ['a computer_call', 'computer', computer],
] as const)('pictures in %s', (_, tool, lines) => {
  it('[READ19] are told apart by their data', async () => {
    const [one, other, again] = await results(lines, ['one', 'other', 'one']);
    expect([one?.[0], other?.[0]]).toEqual([tool, tool]);
    expect(one).toEqual(again);
    expect(one).not.toEqual(other);
    expect(String(one?.[1])).toMatch(/^\[\w+ #\d+\]$/);
  });
});
