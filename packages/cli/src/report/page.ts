import { createHash } from 'node:crypto';
import type { Figures } from '../output/summary.ts';
import type { Replayed } from '../replay/replay.ts';
import { renderToString } from '../vendor/markup.ts';
import { conversation } from './conversation.ts';
import { conversationTable } from './conversation-table.ts';
import { headline, kindTable, overview } from './overview.ts';
import { el } from './parts.ts';
import { STYLE } from './style.ts';

/** What a report shows. */
export interface ReportData {
  readonly figures: Figures;
  /** The conversations of the table, the costliest first. */
  readonly rows: readonly Replayed[];
  /** The first of them, with their traces. */
  readonly details: readonly Replayed[];
  /** What was not read, in words. */
  readonly unread: string;
  /** What is estimated, in words. */
  readonly estimated: string;
}

export { headline };

const HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${HASH}'; base-uri 'none'; form-action 'none'`;

/** The report as one file that loads nothing, runs nothing, and holds all text as text. */
export function page({ figures, rows, details, unread, estimated }: ReportData): string {
  const title = `Teamfuse report: ${headline(figures)}`;
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
        overview(figures, unread, estimated),
        kindTable(figures),
        rows.length > 0 ? conversationTable(rows, details.length, figures) : null,
        details.map((one, i) => conversation(one, i + 1)),
      ]),
    ]),
  ]);
  return `<!doctype html>\n${renderToString(document)}\n`;
}
