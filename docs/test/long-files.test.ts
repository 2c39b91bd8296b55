import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { PACKAGE_FOLDERS } from '../../test/package-folders.ts';
import { ROOT } from './blocks.ts';

const COUNTS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

/** The lines of each source file of a package. */
const lengths = new Map(
  [...PACKAGE_FOLDERS.values()]
    .map((folder) => join(folder, 'src'))
    .filter((place) => existsSync(join(ROOT, place)))
    .flatMap((place) =>
      readdirSync(join(ROOT, place), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => join(place, file)),
    )
    .map((file) => [file, read(file).split('\n').length - 1]),
);

it('[SITE12] has as many files of more than 300 lines as CONTRIBUTING says, those of the decision', () => {
  const long = [...lengths].filter(([, lines]) => lines > 300).map(([file]) => basename(file));
  const decision = read('docs/decisions/0022-some-files-are-longer.md');
  const named = [...decision.matchAll(/[\w/-]+\.ts/g)].map(([file]) => basename(file));
  expect(named.sort()).toEqual(long.sort());
  expect(read('CONTRIBUTING.md')).toContain(`files but [${COUNTS[long.length]}](`);
});

it('[SITE12] has at least half of its files below 60 lines', () => {
  const short = [...lengths.values()].filter((lines) => lines < 60);
  expect(short.length * 2).toBeGreaterThanOrEqual(lengths.size);
});
