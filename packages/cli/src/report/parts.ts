import { type ComponentChild, h, type VNode } from '../vendor/markup.ts';

/** An element. Text in it, and in its attributes, stays text. */
export function el(name: string, attributes: object | null, children?: ComponentChild): VNode {
  return h(name, attributes as null, children) as VNode;
}

/** A table that can be scrolled sideways on a narrow screen. */
export function table(caption: string, head: readonly string[], rows: readonly VNode[]): VNode {
  const titles = head.map((title) => el('th', { scope: 'col' }, title));
  return el('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': caption }, [
    el('table', null, [el('thead', null, el('tr', null, titles)), el('tbody', null, rows)]),
  ]);
}

/** A row of a table; its last cell is a long text. */
export function row(
  cells: readonly ComponentChild[],
  attributes: Readonly<Record<string, unknown>> = {},
): VNode {
  const last = cells.length - 1;
  const shown = cells.map((cell, i) => el('td', i === last ? { class: 'wide' } : null, cell));
  return el('tr', attributes, shown);
}

/** A chart with its title; nothing if the chart is empty. */
export function chart(title: string, description: string, svg: string): VNode | null {
  if (svg === '') return null;
  return el('figure', null, [
    el('figcaption', null, title),
    el('div', {
      class: 'chart',
      role: 'img',
      tabIndex: 0,
      'aria-label': description,
      dangerouslySetInnerHTML: { __html: svg },
    }),
  ]);
}
