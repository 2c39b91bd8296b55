import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { deviations } from '../src/groupchat/deviations.ts';
import { runVector } from '../src/groupchat/run-vectors.ts';
import { groupchatSuite } from '../src/groupchat/suite.ts';
import type { Vector } from '../src/groupchat/vector.ts';
import { readVectorFiles } from '../src/groupchat/vector-files.ts';
import type { Report } from '../src/harness/suite.ts';

const fixtures = fileURLToPath(new URL('../fixtures/groupchat', import.meta.url));
const spec = fileURLToPath(new URL('../../groupchat/SPEC.md', import.meta.url));

describe('the recorded cases of AutoGen 0.2', () => {
  let report: Report;

  beforeAll(async () => {
    report = await groupchatSuite.run(fixtures);
  }, 120_000);

  test('[CONF1] every case is run and accounted for', () => {
    const { total, passed, deviating, failed, skipped } = report;
    expect(total).toBe(1932);
    expect(passed + deviating + failed + skipped).toBe(total);
  });

  test('[CONF2] none fails', () => {
    expect(report.notPassed.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  });

  test('[CONF3] at most eight in a hundred deviate', () => {
    expect(report.deviating).toBeLessThanOrEqual(report.total * 0.08);
  });

  test('[CONF4] only cases that need a missing program are skipped', () => {
    const skipped = report.notPassed.filter(({ outcome }) => outcome === 'skipped');
    expect(skipped.every(({ rule }) => rule === 'python' || rule === 'sh')).toBe(true);
  });

  test('[CONF5] every deviation occurs', () => {
    const seen = report.notPassed.flatMap(({ rule }) => rule?.split(', ') ?? []);
    expect(deviations.map(({ rule }) => rule).filter((rule) => !seen.includes(rule))).toEqual([]);
  });
});

describe('the table of deviations', () => {
  test('[CONF6] every rule stands in the SPEC.md of the package', async () => {
    const text = await readFile(spec, 'utf8');
    const missing = deviations.filter(({ rule }) => !text.includes(`\`${rule}\``));
    expect(missing.map(({ rule }) => rule)).toEqual([]);
  });
});

describe('a case that is not as recorded', () => {
  let vector: Vector;

  beforeAll(async () => {
    const files = await readVectorFiles(fixtures);
    vector = files.find(({ name }) => name.startsWith('chats'))?.vectors[0] as Vector;
  });

  const altered = async (expectation: Partial<Vector['expect']>): Promise<string | undefined> => {
    const result = await runVector({ ...vector, expect: { ...vector.expect, ...expectation } });
    return result?.outcome;
  };

  test('[CONF7] passes unaltered', async () => {
    expect(await altered({})).toBeUndefined();
  });

  test.each([
    ['an event is missing', { trace: [] }],
    ['a step gives something else', { steps: [{ ok: {} }] }],
    ['the final state differs', { state: {} }],
    ['a count differs', { counts: {} }],
    ['the setup should fail', { setup_error: { at: ['setup', 0], type: 'ValueError' } as const }],
  ])('[CONF8] fails when %s', async (_what, expectation) => {
    expect(await altered(expectation)).toBe('failed');
  });

  test('[CONF9] fails when an answer is left over', async () => {
    const result = await runVector({ ...vector, human: ['nobody asks for this'] });
    expect(result?.outcome).toBe('failed');
  });

  test('[CONF10] is skipped when it needs a program that is not there', async () => {
    const result = await runVector({ ...vector, needs: ['no-such-program-anywhere'] });
    expect(result?.outcome).toBe('skipped');
  });
});
