import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Breaker } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { programOf } from '../../packages/cli/src/program.ts';
import { PACKAGE_FOLDERS } from '../../test/package-folders.ts';
import { ROOT } from './blocks.ts';

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const README = read('README.md');
const FIGURES = read('docs/figures.md');
const TABLE = /^\| I have … \|[\s\S]*?\n(?=\n|<)/m;
const CODE = /^```[\s\S]*?^```$/gm;

/** The table of what one has, with its links as they are from `docs/`. */
function tableIn(document: string): string {
  return TABLE.exec(document)?.[0].replaceAll('](docs/', '](') ?? '';
}

/** The cells of the rows of a table, without its head. */
function rowsOf(table: string): string[][] {
  const cells = (row: string): string[] =>
    row.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, ''));
  return table.trim().split('\n').slice(2).map(cells);
}

it('[SITE9] has at most 1,500 words', () => {
  expect(README.split(/\s+/).filter((word) => word !== '').length).toBeLessThanOrEqual(1500);
});

describe('the table of what one has', () => {
  const rows = rowsOf(tableIn(README));

  it('[SITE10] begins Get started and the home of the site, too', () => {
    expect(rows.length).toBeGreaterThan(12);
    const page = read('docs/getting-started.md');
    expect(tableIn(page)).toBe(tableIn(README));
    expect(page.indexOf('| I have')).toBeLessThan(page.indexOf('\n## '));
    const [, , home = ''] = read('docs/index.md').split('---\n');
    expect(home.trim().split('\n')[0]).toBe('<!--@include: ./getting-started.md#i-have-->');
  });

  it.each(rows)(
    '[SITE10] has a line of what its package exports: %s',
    async (_have, name, line) => {
      const [, command] = /teamfuse (\w+)/.exec(line ?? '') ?? [];
      if (command !== undefined) {
        expect(programOf(() => {}).commands.map((one) => one.name())).toContain(command);
        return;
      }
      const folder = PACKAGE_FOLDERS.get((name ?? '').replaceAll('`', ''));
      const exported = await import(join(ROOT, `${folder}`, 'src/index.ts'));
      const codes = [...(line ?? '').matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
      expect(codes).not.toEqual([]);
      for (const code of codes) {
        const called = [...code.matchAll(/(\w+)\(/g)].map(([, one = '']) => one);
        const from = code.startsWith('breaker.') ? Breaker.prototype : exported;
        expect(called.filter((one) => typeof Reflect.get(from, one) === 'function')).not.toEqual(
          [],
        );
      }
    },
  );
});

describe('the figures of the README', () => {
  const OF = /\b\d+ of \d[\d,]*\b/g;
  const [HEAD = '', DAY = ''] = /^\| set aside on ([\d-]+) \|.*$/m.exec(README) ?? [];
  const start = README.indexOf(HEAD);
  const rows = rowsOf(README.slice(start, README.indexOf('\n\n', start)));

  it('[SITE11] are those of the pages that commands print', () => {
    const said = [...README.replace(CODE, '').matchAll(OF)].map(([figure]) => figure);
    expect(said.length).toBeGreaterThan(8);
    const printed = `${FIGURES}\n${read('packages/evals/README.md')}`;
    expect(said.filter((figure) => !new RegExp(`\\b${figure}\\b`).test(printed))).toEqual([]);
  });

  it.each(rows)('[SITE11] stand in the row of their own: %s', (label = '', ...figures) => {
    const [set = '', row = ''] = label.split(': ');
    const start = FIGURES.indexOf(`| ${set}, ${DAY} |`);
    expect(start).toBeGreaterThan(0);
    const table = FIGURES.slice(start, FIGURES.indexOf('\n\n', start));
    const printed = rowsOf(table).find(([name]) => name === row);
    expect(printed?.slice(1).map((cell) => cell.split(' (')[0])).toEqual(figures);
  });
});
