import { createHash } from 'node:crypto';
import type { Figures } from '../output/summary.ts';
import { spendText } from '../output/trip-report.ts';
import type { Replayed } from '../replay/replay.ts';
import { renderToString, type VNode } from '../vendor/markup.ts';
import { conversation } from './conversation.ts';
import { el, row, table } from './parts.ts';
import { STYLE } from './style.ts';

/** What a report shows. */
export interface ReportData {
  readonly figures: Figures;
  /** The conversations of the table, the costliest first. */
  readonly rows: readonly Replayed[];
  /** The first of them, with their traces. */
  readonly details: readonly Replayed[];
  /** What could not be read, in words. */
  readonly problems: string;
}

const HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'`;

/** The report as one file that loads nothing, runs nothing, and holds all text as text. */
export function page({ figures, rows, details, problems }: ReportData): string {
  const title = `Teamfuse report: ${figures.tripped} of ${figures.conversations} conversations tripped`;
  const document = el('html', { lang: 'en' }, [
    el('head', null, [
      el('meta', { charset: 'utf-8' }),
      el('meta', { 'http-equiv': 'Content-Security-Policy', content: POLICY }),
      el('meta', { name: 'viewport', content: 'width=device-width, initial-scale=1' }),
      el('title', null, title),
      el('style', { dangerouslySetInnerHTML: { __html: STYLE } }),
    ]),
    el('body', null, [
      el('main', null, [
        el('h1', null, 'Teamfuse report'),
        overview(figures),
        problems === '' ? null : el('p', { class: 'reason' }, problems),
        kindTable(figures),
        conversationTable(rows, details.length, figures.conversations),
        details.map((one, i) => conversation(one, i + 1)),
      ]),
    ]),
  ]);
  return `<!doctype html>\n${renderToString(document)}\n`;
}

function overview({ conversations, tripped, spent, saved }: Figures): VNode {
  const figure = (name: string, value: string, more: string): VNode =>
    el('div', null, [el('dt', null, name), el('dd', null, [value, el('small', null, more)])]);
  return el('dl', { class: 'figures' }, [
    figure(
      'Conversations',
      conversations.toLocaleString('en'),
      `${spent.turns.toLocaleString('en')} turns`,
    ),
    figure('Tripped', tripped.toLocaleString('en'), share(tripped, conversations)),
    figure('Spent', usdText(spent.usd), spendText(spent)),
    figure('Would have been saved', usdText(saved.usd), spendText(saved)),
  ]);
}

function usdText(usd: number | null): string {
  return usd === null ? 'price unknown' : `$${usd.toFixed(usd < 1 ? 4 : 2)}`;
}

function share(part: number, all: number): string {
  return all === 0 ? 'no conversations' : `${((100 * part) / all).toFixed(1)} % of them`;
}

function kindTable({ kinds }: Figures): VNode | null {
  if (kinds.length === 0) return null;
  const rows = kinds.map(({ kind, conversations, saved }) =>
    row([kind, conversations.toLocaleString('en'), spendText(saved)]),
  );
  return el('section', null, [
    el('h2', null, 'Trips by kind'),
    table('Trips by kind', ['kind', 'conversations', 'would have saved'], rows),
  ]);
}

function conversationTable(rows: readonly Replayed[], detailed: number, all: number): VNode {
  const shown = rows.map(({ id, turns, trips: [trip], spent, saved }, i) => {
    const name = el('bdi', null, id);
    return row([
      i < detailed ? el('a', { href: `#c${i + 1}` }, name) : name,
      trip === undefined ? 'clean' : `${trip.kind} at turn ${trip.at}`,
      turns.toLocaleString('en'),
      usdText(spent.usd),
      trip === undefined ? '' : spendText(saved),
    ]);
  });
  const left = all - rows.length;
  return el('section', null, [
    el('h2', null, 'Conversations'),
    el(
      'p',
      { class: 'dim' },
      `The costliest trips come first; the first ${detailed} are shown in detail below.`,
    ),
    table(
      'Conversations',
      ['conversation', 'outcome', 'turns', 'spent', 'would have saved'],
      shown,
    ),
    left > 0
      ? el('p', { class: 'dim' }, `${left.toLocaleString('en')} more are counted above.`)
      : null,
  ]);
}
