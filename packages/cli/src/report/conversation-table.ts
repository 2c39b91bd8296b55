import { counted, moneyText, tokenCount } from '../output/amounts.ts';
import type { Figures } from '../output/summary.ts';
import type { Replayed } from '../replay/replay.ts';
import type { Spend } from '../replay/spend.ts';
import type { VNode } from '../vendor/markup.ts';
import { type Column, el, folded, joined, type Row, table } from './parts.ts';

/** All conversations that there is room for, the costliest first; those that did not trip are folded away if others did. */
export function conversationTable(
  rows: readonly Replayed[],
  detailed: number,
  { conversations, tripped, spent }: Figures,
): VNode {
  const turns = columnsOf(spent).length > 0 ? 'number extra' : 'number';
  const columns: readonly Column[] = [
    'conversation',
    ...columnsOf(spent),
    ['turns saved', turns],
    ['turns', turns],
  ];
  const shown = rows.map((one, i) => rowOf(one, i < detailed ? i + 1 : undefined, spent));
  const stopped = shown.filter((_, i) => rows[i]?.trips.length !== 0);
  const clean = shown.slice(stopped.length);
  const left = conversations - rows.length;
  const name = `${counted(conversations - tripped, 'conversation')} that would not have been stopped`;
  const count = Math.min(detailed, rows.length);
  const first = `The costliest stops come first; ${count === 1 ? 'the first is' : `the first ${count} are`} shown in detail below.`;
  return el('section', { id: 'c0' }, [
    el('h2', null, 'Conversations'),
    el('p', { class: 'dim' }, first),
    stopped.length > 0 ? table('Conversations', columns, stopped) : null,
    clean.length === 0
      ? null
      : stopped.length === 0
        ? table('Conversations', columns, clean)
        : folded(name, table(name, columns, clean)),
    left > 0
      ? el(
          'p',
          { class: 'dim' },
          `${left.toLocaleString('en')} more are included in the figures above.`,
        )
      : null,
  ]);
}

/** Money where any is known, or else tokens. */
function columnsOf({ usd, tokens }: Spend): readonly Column[] {
  const unit = (usd ?? 0) > 0 ? 'spent' : tokens > 0 ? 'tokens' : undefined;
  if (unit === undefined) return [];
  return [
    ['saved', 'number'],
    [unit, 'number'],
  ];
}

function rowOf(
  { id, title, team, trips: [trip], spent, saved }: Replayed,
  number: number | undefined,
  all: Spend,
): Row {
  const name = el('bdi', null, title);
  const below = [team, id].filter((text) => text !== title);
  const amount = (spend: Spend): string => {
    if ((all.usd ?? 0) === 0) return tokenCount(spend);
    if (spend.usd === null) return spend.tokens > 0 ? 'unknown' : '–';
    return moneyText(spend, all.usd ?? 0);
  };
  return {
    cells: [
      [
        number === undefined ? name : el('a', { href: `#c${number}` }, name),
        el('div', { class: 'below' }, [
          el('div', null, trip === undefined ? 'clean' : `${trip.kind} at turn ${trip.at}`),
          joined(below),
        ]),
      ],
      ...(columnsOf(all).length === 0 ? [] : [trip ? amount(saved) : '', amount(spent)]),
      trip === undefined ? '' : saved.turns.toLocaleString('en'),
      spent.turns.toLocaleString('en'),
    ],
  };
}
