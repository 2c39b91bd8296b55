import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where `npm run site` leaves the site. */
export const DIST: string = fileURLToPath(new URL('../.vitepress/dist', import.meta.url));

/** A page as it was built. */
export interface Page {
  /** Its path on the site: `/guides/tripped`, or `/api/` for the page of a folder. */
  readonly path: string;
  readonly html: string;
}

/** Every page of the built site. */
export function builtPages(): Page[] {
  return readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && file !== '404.html')
    .sort()
    .map((file) => ({
      path: `/${file.replace(/(?:index)?\.html$/, '')}`,
      html: readFileSync(join(DIST, file), 'utf8'),
    }));
}
