import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { locateKey } from '../src/locate-key.ts';

const CASES: readonly [what: string, text: string, path: (string | number)[], place: string][] = [
  ['a key', 'a = 1\n  limit = 2', ['limit'], '2:3'],
  ['a key of a table', 'limit = 1\n[rate]\nlimit = 2', ['rate', 'limit'], '3:1'],
  ['a dotted key', 'rate.limit = 2', ['rate', 'limit'], '1:6'],
  ['a dotted key with blanks', 'rate . limit = 2', ['rate', 'limit'], '1:8'],
  ['a quoted key', '"limit" = 2', ['limit'], '1:1'],
  ['a key in single quotes', "rate.'limit' = 2", ['rate', 'limit'], '1:6'],
  ['a quoted key with a dot', '[teams."a.b"]\nlimit = 2', ['teams', 'a.b', 'limit'], '2:1'],
  ['an inline table', 'limit = 1\nrate = { x = 1, limit = 2 }', ['rate', 'limit'], '2:17'],
  ['a header', '[rate]\n[teams.rate]', ['teams', 'rate'], '2:8'],
  ['the first of two headers', '[a.x.y]\n[a.x]\nb = 1', ['a', 'x'], '1:4'],
  ['a list of tables', '[[r]]\nmax = 1\n[[r]]\nmax = 2', ['r', 1, 'max'], '4:1'],
  ['a list of inline tables', 'r = [{ max = 1 }, { max = 2 }]', ['r', 1, 'max'], '1:21'],
  ['an item of a list', 'r = [1, "x"]', ['r', 1], '1:1'],
  ['a comment that looks like it', '# limit = 1\nlimit = 2 # limit = 3', ['limit'], '2:1'],
  ['a text that looks like it', 'a = "limit = 1"\nlimit = 2', ['limit'], '2:1'],
  [
    'texts of several lines that look like it',
    'a = """\nlimit = 1\n[limit]\n"""\nb = \'\'\'\nlimit = 1\n\'\'\'\nlimit = 2',
    ['limit'],
    '8:1',
  ],
  ['a longer key that begins like it', 'limits = 1\nlimit = 2', ['limit'], '2:1'],
  ['a key with escapes', '[rate]\n"l\\u0069mit" = 2', ['rate', 'limit'], '2:1'],
  ['a key after CRLF', 'a = 1\r\nlimit = 2', ['limit'], '2:1'],
  ['the same key of another table', '[a]\nlimit = 1\n[b]\nlimit = 2', ['b', 'limit'], '4:1'],
];

describe('the place of a key', () => {
  it.each(CASES)('[POL8] is found for %s', (_what, text, path, place) => {
    const found = locateKey(text, path);
    expect(`${found?.line}:${found?.column}`).toBe(place);
  });

  it('[POL8] is that of the table around a key that is missing', () => {
    expect(locateKey('[rate]\nmax = 2', ['rate', 'limit'])).toEqual({ line: 1, column: 2 });
  });

  it('[POL8] is unknown for a key in no table', () => {
    expect(locateKey('a = 1', ['b'])).toBeUndefined();
  });

  it('[POL8] is where the key stands, in any table that a program writes', () => {
    const key = fc.constantFrom('a', 'b', 'ab', 'a b', 'x.y', 'limit', '"', 'ключ');
    const leaf = fc.constantFrom(1, 'a = 1', '[b]');
    const table = fc.dictionary(key, leaf, { minKeys: 1, maxKeys: 3 });
    const tree = fc.dictionary(key, fc.oneof(leaf, table), { minKeys: 1, maxKeys: 4 });
    fc.assert(
      fc.property(tree, (value) => {
        const text = stringify(value);
        for (const path of pathsOf(parse(text))) {
          const place = locateKey(text, path);
          const line = text.split('\n')[(place?.line ?? 0) - 1] ?? '';
          const name = path.at(-1) as string;
          const quoted = JSON.stringify(name);
          const rest = line.slice((place?.column ?? 0) - 1);
          expect(rest.startsWith(name) || rest.startsWith(quoted)).toBe(true);
        }
      }),
    );
  });
});

function pathsOf(table: object): string[][] {
  return Object.entries(table).flatMap(([key, value]) => [
    [key],
    ...(typeof value === 'object' ? pathsOf(value).map((path) => [key, ...path]) : []),
  ]);
}
