import { readFileSync } from 'node:fs';

/** A row of the guide: when something tripped like this, what to change. */
export interface Row {
  readonly kind: string;
  readonly subject: string;
  readonly purse: string;
  readonly line: string;
}

const GUIDE = new URL('../../guides/tripped.md', import.meta.url);
const ROW = /^\| (.+?) \| (.+?) \| `(.+)` \|$/gm;

/** Every row of the guide, with the heading it stands under. */
export function rows(): Row[] {
  const [, ...sections] = readFileSync(GUIDE, 'utf8').split(/^## /m);
  return sections.flatMap((section) =>
    [...section.matchAll(ROW)]
      .filter(([, subject]) => subject !== '`evidence.subject`')
      .map(([, subject = '', purse = '', line = '']) => ({
        kind: section.slice(0, section.indexOf('\n')),
        subject,
        purse,
        line,
      })),
  );
}

/** The subject that a row names between backticks; nothing for one that says it is missing. */
export function namedIn(cell: string): string | undefined {
  return /`(.+)`/.exec(cell)?.[1];
}
