import { usdText } from '../output/amounts.ts';
import type { Figures } from '../output/summary.ts';
import type { Replayed } from '../replay/replay.ts';
import type { Spend } from '../replay/spend.ts';
import type { VNode } from '../vendor/markup.ts';
import { type Column, el, folded, type Row, table } from './parts.ts';

/** All conversations that there is room for, the costliest first; those that did not trip are folded away if others did. */
export function conversationTable(
  rows: readonly Replayed[],
  detailed: number,
  { conversations, tripped, spent }: Figures,
): VNode {
  const columns: readonly Column[] = [
    'conversation',
    ['outcome', 'word'],
    ['turns', 'number'],
    ['turns saved', 'number'],
    ...columnsOf(spent),
  ];
  const shown = rows.map((one, i) => rowOf(one, i < detailed ? i + 1 : undefined, spent));
  const stopped = shown.filter((_, i) => rows[i]?.trips.length !== 0);
  const clean = shown.slice(stopped.length);
  const left = conversations - rows.length;
  const name = `${(conversations - tripped).toLocaleString('en')} conversations that would not have been stopped`;
  const first = `The costliest stops come first; the first ${Math.min(detailed, rows.length)} are shown in detail below.`;
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
    [unit, 'number'],
    ['saved', 'number'],
  ];
}

function rowOf(
  { id, trips: [trip], spent, saved }: Replayed,
  number: number | undefined,
  all: Spend,
): Row {
  const name = el('bdi', null, id);
  const amount = ({ usd, tokens }: Spend): string => {
    if ((all.usd ?? 0) === 0) return tokens.toLocaleString('en');
    return usd === null ? (tokens > 0 ? 'unknown' : '–') : usdText(usd, all.usd ?? 0);
  };
  return {
    cells: [
      number === undefined ? name : el('a', { href: `#c${number}` }, name),
      trip === undefined ? 'clean' : `${trip.kind} at turn ${trip.at}`,
      spent.turns.toLocaleString('en'),
      trip === undefined ? '' : saved.turns.toLocaleString('en'),
      ...(columnsOf(all).length === 0 ? [] : [amount(spent), trip ? amount(saved) : '']),
    ],
  };
}
