import {
  amountText,
  counted,
  percentText,
  restText,
  shareOf,
  spendText,
} from '../output/amounts.ts';
import type { Figures } from '../output/summary.ts';
import type { VNode } from '../vendor/markup.ts';
import { meaningOf } from './kinds.ts';
import { bar, el, table } from './parts.ts';

/** What came of it all, at a glance: how many would have been stopped, what was spent, and what would have been saved. */
export function overview(figures: Figures, unread: string): VNode {
  const { conversations, tripped, spent, spentByTripped, saved } = figures;
  return el('header', null, [
    el('p', { class: 'dim' }, 'Teamfuse report'),
    el('h1', null, headline(figures)),
    unread === '' ? null : el('p', { class: 'note' }, `Not everything was read: ${unread}.`),
    conversations === 0
      ? null
      : el('dl', { class: 'figures' }, [
          figure(
            'Would have been stopped',
            tripped.toLocaleString('en'),
            [
              `${percentText(tripped / conversations)} of ${counted(conversations, 'conversation')}`,
            ],
            bar(tripped, conversations, 'stopped'),
          ),
          figure('Spent', amountText(spent), [
            restText(spent),
            tripped > 0 && tripped < conversations
              ? `${amountText(spentByTripped)} of it by conversations that would have been stopped`
              : '',
          ]),
          figure(
            'Would have been saved',
            amountText(saved),
            [`${percentText(shareOf(saved, spent))} of what was spent`, restText(saved)],
            bar(shareOf(saved, spent), 1, 'saved'),
          ),
        ]),
  ]);
}

function headline({ conversations, tripped }: Figures): string {
  const all = conversations.toLocaleString('en');
  if (conversations === 0) return 'No conversations were found';
  if (conversations === 1) {
    return `The conversation would ${tripped === 0 ? 'not ' : ''}have been stopped`;
  }
  const some = tripped === 0 ? 'None' : tripped.toLocaleString('en');
  return `${some} of ${all} conversations would have been stopped`;
}

function figure(
  name: string,
  value: string,
  more: readonly string[],
  shown: VNode | null = null,
): VNode {
  return el('div', null, [
    el('dt', null, name),
    el('dd', null, [
      el('strong', null, value),
      shown,
      el('small', null, more.filter((text) => text !== '').join('; ')),
    ]),
  ]);
}

/** What stopped them. Nothing if nothing did. */
export function kindTable({ kinds, tripped }: Figures): VNode | null {
  if (kinds.length === 0) return null;
  const rows = kinds.map(({ kind, conversations, saved }) => ({
    cells: [
      [el('strong', null, kind), el('div', { class: 'dim' }, meaningOf(kind))],
      [conversations.toLocaleString('en'), bar(conversations, tripped, 'stopped')],
      spendText(saved),
    ],
  }));
  const columns = ['reason', ['conversations', 'number'], 'would have saved'] as const;
  return el('section', null, [
    el('h2', null, 'Why they would have been stopped'),
    table('Reasons for a stop', columns, rows),
  ]);
}
