import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vitepress';
import { documents, ROOT, siteLink } from './documents.ts';
import { nav, sidebar } from './navigation.ts';

const DESCRIPTION = 'Circuit breakers for teams of LLM agents, in TypeScript';

const ICON = readFileSync(new URL('favicon.svg', import.meta.url), 'utf8');
const HERE = fileURLToPath(import.meta.url);
/** Pages outside of `docs/` find no Vue by themselves. */
const vueForAll: Plugin = {
  name: 'vue-for-all',
  enforce: 'pre',
  resolveId(source, importer) {
    const isOurs = /^vue(?:\/|$)/.test(source) && importer?.includes('.md');
    return isOurs ? this.resolve(source, HERE, { skipSelf: true }) : undefined;
  },
};

/** The name of a heading as GitHub makes it, so that links work in both places. */
function slugify(heading: string): string {
  const kept = heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '');
  return kept.replaceAll(' ', '-');
}

export default defineConfig({
  title: 'Teamfuse',
  description: DESCRIPTION,
  lang: 'en',
  srcDir: '..',
  srcExclude: ['**/test/**', '.*/**'],
  rewrites: documents(),
  cleanUrls: true,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(ICON)}` }]],
  router: { prefetchLinks: false },
  markdown: {
    anchor: { slugify },
    config: (md) => {
      md.core.ruler.push('site-links', ({ tokens, env }) => {
        const file = relative(ROOT, env.realPath ?? env.path);
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const href = token.attrGet('href');
          if (token.type === 'link_open' && href !== null)
            token.attrSet('href', siteLink(file, href));
        }
      });
    },
  },
  vite: {
    plugins: [vueForAll],
    // The largest pages are those of the API: each is read as a whole.
    build: { chunkSizeWarningLimit: 4000 },
  },
  themeConfig: {
    nav,
    sidebar,
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    docFooter: { prev: false, next: false },
  },
});
