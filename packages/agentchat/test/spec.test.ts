import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const RULE = /^\| ([A-Z0-9]+-?\d+) +\|/gm;

async function sources(): Promise<string> {
  const files = await readdir(`${root}test`, { recursive: true });
  const tests = files.filter((file) => /\.test(?:-d)?\.ts$/.test(file));
  return (await Promise.all(tests.map((file) => readFile(`${root}test/${file}`, 'utf8')))).join(
    '\n',
  );
}

it('[SPEC0] every rule has a test, and every test a rule', async () => {
  const rules = [...(await readFile(`${root}SPEC.md`, 'utf8')).matchAll(RULE)].map(([, id]) => id);
  expect(new Set(rules).size).toBe(rules.length);
  const text = await sources();
  // Tables of tests keep their IDs in the rows.
  const mentioned = (id: string | undefined): boolean =>
    text.includes(`[${id}]`) || text.includes(`'${id}'`);
  expect(rules.filter((id) => !mentioned(id))).toEqual([]);
  const titles = [...text.matchAll(/\(\s*['"`](?:\[([A-Z0-9]+-?\d+)\] )+/g)].map(([, id]) => id);
  expect(titles.filter((id) => !rules.includes(id) && id !== 'SPEC0')).toEqual([]);
});
