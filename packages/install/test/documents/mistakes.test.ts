import { fileURLToPath } from 'node:url';
import { guardAgents } from '@teamfuse/adapter-groupchat';
import { parsePolicy } from '@teamfuse/config';
import { Breaker, guard } from '@teamfuse/core';
import { expect, it } from 'vitest';
import { installOn } from '../../src/index.ts';
import { speaker } from '../support/teams.ts';
import { CODE, FILES } from './mistakes.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/option-errors.md', import.meta.url));

const HEAD = `# What wrong options say

Every message below comes from a run of what stands beside it. \`npm run docs\` writes this page. The options are listed in [options.md](options.md), the
classes of errors in [errors.md](errors.md).
`;

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

function table(title: string, mistakes: readonly string[], work: (mistake: string) => unknown) {
  const rows = mistakes.map((mistake) => {
    const written = mistake.replaceAll('\n', '`<br>`');
    return `| \`${written}\` | ${messageOf(() => work(mistake)).replaceAll('|', '\\|')} |`;
  });
  return [`## ${title}\n`, '| Written | Message |\n|---|---|', ...rows, ''];
}

it('[ION14] the page of wrong options shows what each of them says', async () => {
  const page = [
    HEAD,
    ...table('In code', CODE, run),
    ...table('In a teamfuse.toml', FILES, (text) => parsePolicy(text, 'teamfuse.toml')),
  ].join('\n');
  expect(CODE.length + FILES.length).toBeGreaterThanOrEqual(30);
  await expect(page).toMatchFileSnapshot(PAGE);
});
