import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { PACKAGE_FOLDERS } from './package-folders.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** A row of a table of rules. */
const RULE = /^\| *`?([A-Z]{2,}\d+)`? *\|/gm;
/** A title that begins with a rule. */
const TITLE = /(?:it|test|describe)\b[^'"`\n]*\(\s*['"`]\[([A-Z]{2,}\d+)\]/g;
const ID = /\b[A-Z]{2,}\d+\b/g;

const specs = [
  ...[...PACKAGE_FOLDERS].map(([name, folder]) => ({ name, folder, place: folder })),
  { name: 'the repository', folder: '.', place: 'test' },
]
  .map(({ place, ...one }) => ({ ...one, spec: join(ROOT, place, 'SPEC.md') }))
  .filter(({ spec }) => existsSync(spec));
const rules = new Map(
  specs.map(({ name, spec }) => [name, found(readFileSync(spec, 'utf8'), RULE)]),
);

function found(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? match[0]);
}

/** The tests of a package, and the contracts that it publishes. */
function testsOf(folder: string): string {
  const contracts = folder === 'packages/testing' ? 'src' : 'src/testing';
  return [join(ROOT, folder, 'test'), join(ROOT, folder, contracts)]
    .filter((place) => existsSync(place))
    .flatMap((place) =>
      readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file)),
    )
    .filter((file) => file.endsWith('.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

describe('rules', () => {
  it('[HOUSE4] have an ID that no other rule of any package has', () => {
    const all = [...rules.values()].flat();
    expect(all.filter((id, i) => all.indexOf(id) !== i)).toEqual([]);
    expect(all.length).toBeGreaterThan(600);
  });

  it.each(specs)(
    '[HOUSE5] of $name each have a test, and each title names a rule',
    ({ name, folder }) => {
      const own = new Set(rules.get(name));
      const tests = testsOf(folder);
      const tested = new Set(found(tests, ID));
      // The rules of a published contract are compared with its code by a test of their package.
      const untested = [...own].filter((id) => !tested.has(id) && !id.startsWith('ADP'));
      expect(untested).toEqual([]);
      const published = new Set(
        ['core', 'adapter-kit', 'testing'].flatMap((one) => rules.get(one) ?? []),
      );
      const unknown = found(tests, TITLE).filter((id) => !own.has(id) && !published.has(id));
      expect([...new Set(unknown)]).toEqual([]);
    },
  );
});
