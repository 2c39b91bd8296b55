import { fileURLToPath } from 'node:url';
import { guardAgents } from '@teamfuse/adapter-groupchat';
import { parsePolicy } from '@teamfuse/config';
import { Breaker, guard } from '@teamfuse/core';
import { expect, it } from 'vitest';
import { installOn } from '../../src/index.ts';
import { speaker } from '../support/teams.ts';
import { CODE, FILES } from './mistakes.ts';

const RECORD = fileURLToPath(new URL('messages.txt', import.meta.url));

/** What expressions may use. */
const NAMES = {
  Breaker,
  guard,
  guardAgents,
  installOn,
  writer: speaker('writer'),
  search: (query: string): string => query,
  policy: parsePolicy('[teams.research]\nmaxTurns = 9', 'teamfuse.toml'),
};

function run(expression: string): unknown {
  return new Function(...Object.keys(NAMES), `return ${expression}`)(...Object.values(NAMES));
}

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    const { name, code, message } = error as Error & { code?: string };
    // A mistake is told by us, not by the engine.
    expect([name, code]).toEqual([name, expect.any(String)]);
    return message;
  }
  throw new Error('no mistake');
}

function messagesOf(mistakes: readonly string[], work: (mistake: string) => unknown): string {
  return mistakes
    .map((mistake) => `${mistake}\n    ${messageOf(() => work(mistake))}\n`)
    .join('\n');
}

it('[ION14] what each wrong option says is on record', async () => {
  const inFiles = (text: string): unknown => parsePolicy(text, 'teamfuse.toml');
  const messages = `${messagesOf(CODE, run)}\n${messagesOf(FILES, inFiles)}`;
  expect(CODE.length + FILES.length).toBeGreaterThanOrEqual(30);
  await expect(messages).toMatchFileSnapshot(RECORD);
});
