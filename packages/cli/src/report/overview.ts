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

/** What came of it all, at a glance: what would have been saved, what was spent, and how many would have been stopped. */
export function overview(figures: Figures, unread: string, estimated: string): VNode {
  const { conversations, tripped, spent, spentByTripped, saved } = figures;
  return el('header', null, [
    el('p', { class: 'dim' }, 'Teamfuse report'),
    el('h1', null, headline(figures)),
    unread === '' ? null : el('p', { class: 'note' }, `Not everything was read: ${unread}.`),
    conversations === 0
      ? null
      : el('dl', { class: 'figures' }, [
          figure(
            'Would have been saved',
            amountText(saved),
            [`${percentText(shareOf(saved, spent))} of what was spent`, restText(saved)],
            bar(shareOf(saved, spent), 1, 'saved'),
          ),
          figure('Spent', amountText(spent), [
            restText(spent),
            tripped > 0 && tripped < conversations
              ? `${amountText(spentByTripped)} of it by conversations that would have been stopped`
              : '',
          ]),
          figure(
            'Would have been stopped',
            tripped.toLocaleString('en'),
            [
              `${percentText(tripped / conversations)} of ${counted(conversations, 'conversation')}`,
            ],
            bar(tripped, conversations, 'stopped'),
          ),
        ]),
    estimated === '' ? null : el('p', { class: 'dim estimate' }, sentenceOf(estimated)),
  ]);
}

/** What would have been saved, in one sentence. */
export function headline({ conversations, tripped, spent, saved }: Figures): string {
  if (conversations === 0) return 'No conversations were found';
  const all = counted(conversations, 'conversation');
  if (tripped === 0) return `Nothing would have been stopped in ${all}`;
  const whole = amountText(spent).replace(saved.isEstimate ? 'about ' : '', '');
  const amount = `${amountText(saved)} of ${whole} would have been saved`;
  const some = tripped.toLocaleString('en');
  return conversations === 1 ? amount : `${amount} by stopping ${some} of ${all}`;
}

function sentenceOf(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
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
