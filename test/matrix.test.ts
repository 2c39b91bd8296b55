import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Framework {
  readonly adapter: string;
  readonly oldest: Readonly<Record<string, string>>;
}

const ROOT = new URL('..', import.meta.url);
const table: { readonly FRAMEWORKS: readonly Framework[] } = await import(
  new URL('scripts/matrix-table.js', ROOT).href
);
const adapters = [...new Set(table.FRAMEWORKS.map(({ adapter }) => adapter))];
/** Where a range begins; `<` is where one ends. */
const BEGINNING = /(?:\^|>=)(\d+\.\d+\.\d+)/g;

describe('the matrix of frameworks', () => {
  it.each(adapters)('tests the oldest versions that the adapter of %s promises', (adapter) => {
    const manifest = new URL(`packages/adapter-${adapter}/package.json`, ROOT);
    const ranges: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(manifest, 'utf8'),
    ).peerDependencies;
    const promised = Object.values(ranges).flatMap((range) =>
      [...range.matchAll(BEGINNING)].map(([, version]) => version),
    );
    const tested = table.FRAMEWORKS.filter((framework) => framework.adapter === adapter);
    const oldest = tested.flatMap((framework) => Object.values(framework.oldest));
    expect(promised).not.toEqual([]);
    expect(oldest).toEqual(expect.arrayContaining(promised));
  });
});
