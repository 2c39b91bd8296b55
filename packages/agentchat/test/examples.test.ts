import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import * as agentchat from '@teamfuse/agentchat';
import { ReplayChatCompletionClient } from '@teamfuse/models';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

/** An example of a doc comment that says what comes out. */
interface Example {
  readonly file: string;
  readonly code: string;
}

const src = fileURLToPath(new URL('../src', import.meta.url));
const BLOCK = /@example[^`]*```ts\n(.*?)```/gs;
const DECLARATION = /^const (?:\{ )?(\w+)(?: \})? =/;
const CLAIM = /^\s*(.+?);?\s*\/\/ => (.+)$/gm;
const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...values: unknown[]) => Promise<void>;

/** Who the examples talk of. */
function replaying(name: string): agentchat.AssistantAgent {
  const modelClient = new ReplayChatCompletionClient(['Rain.', 'Rain on zinc.']);
  return new agentchat.AssistantAgent(name, { modelClient });
}

async function examples(): Promise<readonly Example[]> {
  const files = (await readdir(src, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const found = await Promise.all(
    files.map(async (file) => {
      const text = (await readFile(`${src}/${file}`, 'utf8')).replace(/^ *\* ?/gm, '');
      return [...text.matchAll(BLOCK)].map(([, code = '']) => ({ file, code }));
    }),
  );
  return found.flat().filter(({ code }) => code.includes('// =>'));
}

describe('examples in the documentation', async () => {
  const cast = ['poet', 'critic', 'writer', 'editor'].map((name) => [name, replaying(name)]);
  const names: Readonly<Record<string, unknown>> = {
    ...agentchat,
    ...Object.fromEntries(cast),
    z,
  };

  it.each(await examples())('[EXA1] $file does what it says', async ({ code }) => {
    let claims = 0;
    const check = (value: unknown, expected: unknown): void => {
      claims += 1;
      expect(value).toEqual(expected);
    };
    const checked = code.replace(CLAIM, (_line, statement: string, expected: string) => {
      const declared = DECLARATION.exec(statement)?.[1];
      if (declared === undefined) return `check(${statement}, ${expected});`;
      return `${statement}; check(${declared}, ${expected});`;
    });
    await new AsyncFunction(...Object.keys(names), 'check', checked)(
      ...Object.values(names),
      check,
    );
    expect(claims).toBe(code.match(CLAIM)?.length);
  });
});
