import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documents, ROOT } from './blocks.ts';

const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /^( *)```[\s\S]*?^\1```$|`[^`\n]*`/gm;
const HEADING = /^#+ (.+)$/gm;
const OURS = /^https:\/\/github\.com\/teamfuse\/teamfuse\/(?:blob|tree)\/main\//;

/** The file that a link leads to, and the heading in it; `undefined` for what is elsewhere. */
function placeOf(link: string, from: string): { file: string; heading: string } | undefined {
  const isOurs = OURS.test(link);
  if (!isOurs && /^[a-z]+:/.test(link)) return undefined;
  const [path = '', heading = ''] = link.replace(OURS, '').split('#');
  const file = path === '' ? from : join(isOurs ? ROOT : dirname(from), path);
  return { file, heading };
}

/** The anchors that GitHub gives the headings of a document. */
function anchorsOf(file: string): string[] {
  const page = statSync(file).isDirectory() ? join(file, 'README.md') : file;
  const text = readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(HEADING)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('the links of the documents', () => {
  const files = documents();

  it.each(files.map((file) => relative(ROOT, file)))('[DOC4] all lead somewhere: %s', (name) => {
    const file = join(ROOT, name);
    const text = readFileSync(file, 'utf8').replace(CODE, '');
    const dead = [...text.matchAll(LINK)].flatMap(([, link = '']) => {
      const place = placeOf(link, file);
      if (place === undefined) return [];
      if (!existsSync(place.file)) return [link];
      return place.heading === '' || anchorsOf(place.file).includes(place.heading) ? [] : [link];
    });
    expect(dead).toEqual([]);
  });
});
