import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './blocks.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

it('[SITE6] has a heading for each code of an error, and for no other', () => {
  const [, codes = ''] =
    /type BreakerErrorCode =([^;]+);/.exec(read('packages/core/src/common/errors.ts')) ?? [];
  const declared = [...codes.matchAll(/'(\w+)'/g)].map(([, code]) => code);
  const headings = [...read('docs/errors.md').matchAll(/^## (\w+)$/gm)].map(([, code]) => code);
  expect(declared.length).toBeGreaterThan(5);
  expect(headings.sort()).toEqual(declared.sort());
});
