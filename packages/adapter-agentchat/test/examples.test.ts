import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as agentchat from '@teamfuse/agentchat';
import * as core from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import * as adapter from '../src/index.ts';
import { assistant } from './support/agents.ts';

const SRC = fileURLToPath(new URL('../src', import.meta.url));
const EXAMPLE = /@example[^`]*```ts\n(.*?)```/gs;
const CLAIM = /^\s*(.+);\s*\/\/ => (.+)$/gm;
const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>;

/** The examples of all doc comments, by file. */
async function examples(): Promise<readonly { file: string; code: string }[]> {
  const files = (await readdir(SRC, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(`${SRC}/${file}`, 'utf8')).replace(/^ *\* ?/gm, '');
      return [...text.matchAll(EXAMPLE)].map(([, code = '']) => ({ file, code }));
    }),
  );
  return found.flat();
}

describe('the examples of the documentation', async () => {
  it.each(await examples())('[ADX1] $file: come out as they say', async ({ code }) => {
    let claims = 0;
    const check = (value: unknown, expected: unknown): void => {
      claims += 1;
      expect(value).toEqual(expected);
    };
    const names = {
      ...core,
      ...agentchat,
      ...adapter,
      writer: assistant('writer', ['Rain.', 'Rain on zinc.']).agent,
      critic: assistant('critic', ['Too short.', 'Fine.']).agent,
      check,
    };
    const checked = code.replace(CLAIM, 'check($1, $2);');
    await new AsyncFunction(...Object.keys(names), checked)(...Object.values(names));
    expect(claims).toBeGreaterThan(0);
  });
});
