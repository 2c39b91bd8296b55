import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BadInputError, mappedFormat } from '../../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'teamfuse-mapped-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a map of pointers', () => {
  it.each([
    ['[]', 'expected an object with a JSON pointer for each field'],
    [
      '{"agent":"/who","text":"/body","converstion":"/thread"}',
      "field 'converstion': expected a known field (did you mean 'conversation'?)",
    ],
    [
      '{"agent":"/who","text":"/body","records":"steps"}',
      'field \'records\': expected a JSON pointer, such as /steps, received "steps"',
    ],
  ])('[READ11] is not %s, and the error says why', async (text, problem) => {
    const path = join(folder, 'map.json');
    writeFileSync(path, text);
    const reading = mappedFormat(path);
    await expect(reading).rejects.toThrow(BadInputError);
    await expect(reading).rejects.toThrow(`${path}: ${problem}`);
  });

  it('[READ11] may have every field of a signal', async () => {
    const path = join(folder, 'whole.json');
    writeFileSync(path, '{"records":"/steps","kinds":{},"agent":"/who","text":"/body","to":"/to"}');
    await expect(mappedFormat(path)).resolves.toMatchObject({ id: 'mapped' });
  });
});
