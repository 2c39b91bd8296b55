import { type ComponentChild, h, type VNode } from '../vendor/markup.ts';
import type { INK } from './draw.ts';

/** An element. Text in it, and in its attributes, stays text. */
export function el(name: string, attributes: object | null, children?: ComponentChild): VNode {
  return h(name, attributes as null, children) as VNode;
}

/** A column of a table: numbers stand below each other, a word stays on its line, a long text has room. A phone has none for what is extra. */
export type Column =
  | string
  | readonly [title: string, kind: 'number' | 'number extra' | 'word' | 'long'];

/** A row of a table. */
export interface Row {
  readonly cells: readonly ComponentChild[];
  readonly class?: string | undefined;
}

/** A table that can be scrolled sideways on a narrow screen. */
export function table(caption: string, columns: readonly Column[], rows: readonly Row[]): VNode {
  const kinds = columns.map((column) => (typeof column === 'string' ? undefined : column[1]));
  const titles = columns.map((column, i) =>
    el('th', { scope: 'col', class: kinds[i] }, typeof column === 'string' ? column : column[0]),
  );
  const lines = rows.map((row) =>
    el(
      'tr',
      { class: row.class },
      row.cells.map((cell, i) => el('td', { class: kinds[i] }, cell)),
    ),
  );
  // Without a text to read, a table is not spread over the whole width.
  const isSmall = columns.length < 4 && kinds.at(-1) === 'number';
  const name = isSmall ? 'scroll small' : 'scroll';
  return el('div', { class: name, tabIndex: 0, role: 'region', 'aria-label': caption }, [
    el('table', null, [el('thead', null, el('tr', null, titles)), el('tbody', null, lines)]),
  ]);
}

/** Names on one line, each said once. */
export function joined(names: readonly string[]): (VNode | string)[] {
  const shown = [...new Set(names)].filter((name) => name !== '');
  return shown.flatMap((name, i) => [i > 0 ? ' · ' : '', el('bdi', null, name)]);
}

/** Something that is only shown to those who ask for it, and in print. */
export function folded(title: string, content: VNode): VNode {
  return el('details', null, [el('summary', null, title), content]);
}

/** The meaning of a mark in a chart. */
export type Legend = readonly [
  mark: 'dot' | 'diamond' | 'ring' | 'line' | 'dots',
  ink: keyof typeof INK,
  text: string,
];

/** A chart with its title and legend; nothing if the chart is empty. `svgs` are the same chart, wide and narrow. */
export function chart(
  title: string,
  description: string,
  legend: readonly Legend[],
  ...svgs: readonly string[]
): VNode | null {
  if (svgs.includes('')) return null;
  const marks = legend.map(([mark, ink, text]) =>
    el('li', null, [el('span', { class: `mark ${mark} ${ink}` }), text]),
  );
  const sizes = svgs.length > 1 ? ['chart wide', 'chart narrow'] : ['chart'];
  return el('figure', svgs.length > 1 ? { class: 'across' } : null, [
    el('figcaption', null, title),
    legend.length > 0 ? el('ul', { class: 'legend' }, marks) : null,
    svgs.map((svg, i) =>
      el('div', {
        class: sizes[i],
        role: 'img',
        'aria-label': description,
        dangerouslySetInnerHTML: { __html: svg },
      }),
    ),
  ]);
}

/** A bar that shows a share. The figures beside it say the same, so screen readers skip it. */
export function bar(part: number, whole: number, of: 'stopped' | 'saved'): VNode {
  const width = `${whole > 0 ? ((100 * part) / whole).toFixed(2) : 0}%`;
  return el('svg', { class: `bar ${of}`, 'aria-hidden': 'true' }, [
    el('rect', { class: 'whole', width: '100%', height: '100%' }),
    el('rect', { class: 'part', width, height: '100%' }),
  ]);
}
