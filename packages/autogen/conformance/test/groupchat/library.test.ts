import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { groupchat } from '../../src/groupchat/library.ts';
import { deviations } from '../../src/groupchat/rules/deviations.ts';
import type { Vector } from '../../src/groupchat/vector.ts';
import { runCase } from '../../src/harness/run-vectors.ts';
import { readVectorFiles } from '../../src/harness/vector-files.ts';
import { committedVectors } from '../support/fixtures.ts';
import { libraryContract } from '../support/library-contract.ts';

const spec = fileURLToPath(new URL('../../../groupchat/SPEC.md', import.meta.url));

describe('AutoGen 0.2', () => {
  libraryContract(groupchat, { every: 10, total: 194, maxDeviatingShare: 0.075 });

  test('[CONF6] every deviation stands in the SPEC.md of the package', async () => {
    const text = await readFile(spec, 'utf8');
    const missing = deviations.filter(({ name }) => !text.includes(`\`${name}\``));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe('a case that is not as recorded', () => {
  let vector: Vector;

  beforeAll(async () => {
    const [chats] = await readVectorFiles<Vector>(committedVectors('groupchat'));
    vector = chats?.cases[0]?.vector as Vector;
  });

  const outcome = async (changes: Partial<Vector>): Promise<string> => {
    const result = await runCase(groupchat, { id: 'case', vector: { ...vector, ...changes } });
    return result.outcome;
  };

  test('[CONF7] passes unaltered', async () => {
    expect(await outcome({})).toBe('passed');
  });

  test.each([
    ['an event is missing', { trace: [] }],
    ['a step gives something else', { steps: [{ ok: {} }] }],
    ['the final state differs', { state: {} }],
    ['a count differs', { counts: {} }],
    ['the setup should fail', { setup_error: { at: ['setup', 0], type: 'ValueError' } as const }],
  ])('[CONF7] fails when %s', async (_what, expectation) => {
    expect(await outcome({ expect: { ...vector.expect, ...expectation } })).toBe('failed');
  });

  test('[CONF7] fails when a scripted answer is left over', async () => {
    expect(await outcome({ human: ['an answer to no question'] })).toBe('failed');
  });

  test('[CONF4] is skipped when it needs a program that is not there', async () => {
    expect(await outcome({ needs: ['no-such-program-anywhere'] })).toBe('skipped');
  });
});
