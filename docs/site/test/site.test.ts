import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
} from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Page as BuiltPage, builtPages } from '../pages.ts';
import { type SiteServer, serveSite } from '../server.ts';

const BROWSER = '/usr/bin/chromium';
const PAGES = builtPages();
const isGenerated = ({ path }: BuiltPage): boolean => /^\/api\/.|SPEC/.test(path);
/** Colours hardly depend on what a page says. */
const SOME = PAGES.filter((page) => !isGenerated(page)).filter((_, i) => i % 4 === 0);
/** The generated ones are all alike. */
const MOST = PAGES.filter((page, i) => !isGenerated(page) || i % 5 === 0);
const TABS = 4;
const PHONE = { width: 375, height: 720 };

/** What a browser is asked: it runs as a text, since types of a browser are not at hand here. */
const IS_RUNNING = "'__vue_app__' in (document.querySelector('#app') ?? {})";
const LOOK = `({
  isDark: document.documentElement.classList.contains('dark'),
  excess: document.documentElement.scrollWidth - window.innerWidth,
})`;
interface Look {
  readonly isDark: boolean;
  /** Pixels by which the page is wider than its window. */
  readonly excess: number;
}

/** A link of a page, resolved against it. */
const LINK = /<a [^>]*?href="([^"]+)"/g;
const ID = /\sid="([^"]+)"/g;

describe('the links of the site', () => {
  const ids = new Map(
    PAGES.map(({ path, html }) => [path, new Set([...html.matchAll(ID)].map(([, id]) => id))]),
  );

  it('[SITE1] lead to a page, and to a heading that is there', () => {
    const dead: string[] = [];
    for (const { path, html } of PAGES) {
      for (const [, href = ''] of html.matchAll(LINK)) {
        const { origin, pathname, hash } = new URL(
          href.replaceAll('&amp;', '&'),
          `http://site${path}`,
        );
        if (origin !== 'http://site') continue;
        const target = ids.get(decodeURIComponent(pathname));
        const anchor = decodeURIComponent(hash.slice(1));
        if (target === undefined || (anchor !== '' && !target.has(anchor)))
          dead.push(`${path}: ${href}`);
      }
    }
    expect(dead).toEqual([]);
  });
});

describe.skipIf(!existsSync(BROWSER))(`the pages in a browser (needs ${BROWSER})`, () => {
  let browser: Browser;
  let server: SiteServer;

  beforeAll(async () => {
    server = await serveSite();
    browser = await chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  /** Loads each page once, some side by side, and gives what was wrong with any. */
  async function visitAll(
    options: BrowserContextOptions,
    pages: readonly BuiltPage[],
  ): Promise<string[]> {
    const context = await browser.newContext(options);
    const rest = [...pages];
    const problems = await Promise.all(Array.from({ length: TABS }, () => visit(context, rest)));
    await context.close();
    return problems.flat();
  }

  /** Takes pages from the rest until there is none. */
  async function visit(context: BrowserContext, rest: BuiltPage[]): Promise<string[]> {
    const problems: string[] = [];
    const page = await context.newPage();
    let path = '';
    const tell = (problem: string) => problems.push(`${path}: ${problem}`);
    page.on('console', (line) => ['error', 'warning'].includes(line.type()) && tell(line.text()));
    page.on('pageerror', ({ message }) => tell(message));
    page.on('request', (request) => {
      const isOurs = /^data:/.test(request.url()) || request.url().startsWith(server.url);
      if (!isOurs) tell(`asks ${request.url()}`);
    });
    for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
      path = next.path;
      const response = await page.goto(`${server.url}${path}`);
      if (response?.status() !== 200) tell(`answers ${response?.status()}`);
      await page.waitForFunction(IS_RUNNING);
      const { isDark, excess } = await page.evaluate<Look>(LOOK);
      tell(`${isDark ? 'dark' : 'light'}, ${excess > 0 ? `${excess} pixels too wide` : 'fits'}`);
    }
    return problems;
  }

  const all = (look: string, pages: readonly BuiltPage[]) =>
    pages.map(({ path }) => `${path}: ${look}`).sort();

  it('[SITE2] load in dark without an error, and ask nobody else', async () => {
    const seen = await visitAll({ colorScheme: 'dark' }, SOME);
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.sort()).toEqual(all('dark, fits', SOME));
  });

  it('[SITE3] load in light on a phone of 375 pixels without an error, and fit it', async () => {
    const phone = { colorScheme: 'light', viewport: PHONE, isMobile: true } as const;
    const seen = await visitAll(phone, MOST);
    expect(seen.length).toBeGreaterThan(50);
    expect(seen.sort()).toEqual(all('light, fits', MOST));
  });

  it('[SITE4] are found by the search, without asking anybody', async () => {
    const page = await browser.newPage();
    await page.goto(server.url);
    // A key that is pressed before the page listens is lost.
    await page.waitForFunction("'__vue_app__' in document.querySelector('#app')");
    await page.keyboard.press('Control+k');
    await page.locator('#localsearch-input').fill('cool-down');
    const first = page.locator('.VPLocalSearchBox .result').first();
    await first.waitFor();
    const found = await page.locator('.VPLocalSearchBox .result').allInnerTexts();
    expect(found.join('\n')).toMatch(/cool-down/i);
    await first.click();
    await page.waitForURL((url) => url.pathname !== '/');
  });
});
