import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOSTILE, hostileLines } from '../support/hostile.ts';
import { unreadable } from '../support/readable.ts';
import { loop, progress, writeLines } from '../support/recordings.ts';
import { runHere } from '../support/run.ts';

const CHROMIUM = '/usr/bin/chromium';
const folder = mkdtempSync(join(tmpdir(), 'teamfuse-report-'));
const plain = join(folder, 'plain.html');
const hostile = join(folder, 'hostile.html');
let browser: Browser;

/** A page with all that its browser complains about or asks for. */
async function open(path: string, options: { width: number; colorScheme: 'light' | 'dark' }) {
  const { width, colorScheme } = options;
  const page: Page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(dialog.message()));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) complaints.push(request.url());
  });
  await page.goto(pathToFileURL(path).href);
  return { page, complaints };
}

describe.skipIf(!existsSync(CHROMIUM))('a report in Chromium (needs /usr/bin/chromium)', () => {
  beforeAll(async () => {
    const lines = [...loop('weekly', 40), ...progress('letter', 9)];
    await runHere(['report', writeLines(join(folder, 'plain.jsonl'), lines), '-o', plain]);
    await runHere([
      'report',
      writeLines(join(folder, 'hostile.jsonl'), hostileLines()),
      '-o',
      hostile,
    ]);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([plain, hostile])(
    '[REPORT2] loads nothing, runs nothing and breaks no policy: %s',
    async (path) => {
      const { page, complaints } = await open(path, { width: 1200, colorScheme: 'light' });
      for (const summary of await page.locator('summary').all()) await summary.click();
      expect(complaints).toEqual([]);
      expect(
        await page.locator('script, img, iframe, object, link, [onload], [onerror]').count(),
      ).toBe(0);
      expect(await page.evaluate('window.hacked')).toBeUndefined();
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((a) => a.getAttribute('href')));
      expect(links.filter((href) => !/^#c\d+$/.test(href ?? ''))).toEqual([]);
    },
  );

  it('[REPORT3] marks the turns that the trip goes by, and no others', async () => {
    const { out } = await runHere(['explain', join(folder, 'plain.jsonl')]);
    const indices = [...out.matchAll(/^ +#(\d+) {2}(?:writer|critic)/gm)].map(([, index]) =>
      Number(index),
    );
    const { page } = await open(plain, { width: 1200, colorScheme: 'light' });
    const rows = page.locator('#c1 tr.loop td:first-child');
    // All signals of this recording are turns, which count from 1.
    expect((await rows.allTextContents()).map(Number)).toEqual(indices.map((index) => index + 1));
    expect(indices.length).toBeGreaterThan(2);
    for (const size of ['.wide', '.narrow']) {
      const marks = page.locator(`#c1 ${size} path[fill="#040404"]`);
      expect(await marks.count()).toBe(indices.length);
    }
    // The ground of the loop.
    expect(await page.locator('#c1 .wide [fill="#070707"]').count()).toBe(1);
    expect(await page.locator('#c2 tr.loop').count()).toBe(0);
  });

  it('[REPORT4] shows hostile text as text, of bounded size', async () => {
    const { page } = await open(hostile, { width: 1200, colorScheme: 'light' });
    const shown = await page.locator('body').textContent();
    for (const text of HOSTILE.slice(0, 5)) expect(shown).toContain(text);
    expect(shown).not.toMatch(/[\u202A-\u202E\u2066-\u2069]|(?!\n)\p{Cc}/u);
    expect(statSync(hostile).size).toBeLessThan(4_000_000);
  });

  it.each([
    { width: 1200, colorScheme: 'light' },
    { width: 1200, colorScheme: 'dark' },
    { width: 360, colorScheme: 'light' },
  ] as const)(
    '[REPORT5] stays within a window of $width, $colorScheme, with all texts standing out and headings in order',
    async (options) => {
      for (const path of [plain, hostile]) {
        const { page } = await open(path, options);
        for (const summary of (await page.locator('summary').all()).slice(0, 6)) {
          await summary.click();
        }
        const width = await page.evaluate('document.documentElement.scrollWidth');
        expect(width).toBe(options.width);
        expect(await unreadable(page)).toEqual([]);
        const ground = await page.evaluate('getComputedStyle(document.body).backgroundColor');
        const isDark = Number(/\d+/.exec(String(ground))?.[0]) < 128;
        expect(isDark).toBe(options.colorScheme === 'dark');
        await page.close();
      }
    },
  );

  it('[REPORT9] answers on the first screen what would have been saved, what was spent and how many stopped', async () => {
    for (const [width, height] of [
      [1200, 700],
      [375, 812],
    ] as const) {
      const { page } = await open(plain, { width, colorScheme: 'light' });
      expect(await page.textContent('h1')).toMatch(
        /^about [\d,]+ tokens of [\d,]+ tokens would have been saved by stopping 1 of 2 /,
      );
      const figures = page.locator('dl.figures > div');
      expect(await figures.locator('strong').allTextContents()).toEqual([
        expect.stringMatching(/^about [\d,]+ tokens$/),
        expect.stringMatching(/^about [\d,]+ tokens$/),
        '1',
      ]);
      const { y = 0, height: tall = 0 } = (await figures.last().boundingBox()) ?? {};
      expect(y + tall).toBeLessThan(height);
      await page.close();
    }
  });

  it('[REPORT10] prints in black on white, with every table open and nothing cut off', async () => {
    const { page } = await open(plain, { width: 718, colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgb(255, 255, 255)',
    );
    const rows = page.locator('details tbody tr');
    const seen = await rows.evaluateAll((all) =>
      all.filter((row) => row.checkVisibility({ contentVisibilityAuto: true })),
    );
    expect(seen.length).toBe(await rows.count());
    expect(seen.length).toBeGreaterThan(40);
    const cut =
      await page.evaluate(`[...document.querySelectorAll('.scroll, .text, .evidence, .chart')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
        .map((one) => one.className)`);
    expect(cut).toEqual([]);
    const kept = await page.evaluate(`[...document.querySelectorAll('figure, tr, .evidence li')]
        .map((one) => getComputedStyle(one).breakInside)`);
    expect(new Set(kept as string[])).toEqual(new Set(['avoid']));
    await page.close();
  });

  it('[REPORT11] can be read with the keyboard: what is focused is marked', async () => {
    const { page } = await open(plain, { width: 1200, colorScheme: 'light' });
    const names: unknown[] = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press('Tab');
      const [name, outline] = (await page.evaluate(
        `[document.activeElement.tagName, getComputedStyle(document.activeElement).outlineWidth]`,
      )) as string[];
      names.push(name);
      expect(outline).toBe('2px');
    }
    expect(names).toEqual(expect.arrayContaining(['A', 'SUMMARY', 'OL']));
    await page.close();
  });

  it('[REPORT6] names every chart and holds its figures in a table', async () => {
    const { page } = await open(plain, { width: 1200, colorScheme: 'light' });
    const charts = page.locator('.chart[role=img]');
    expect(await charts.count()).toBeGreaterThan(4);
    for (const one of await charts.all()) {
      expect(await one.getAttribute('aria-label')).toMatch(
        /The table of .+ below has the same data\.$/,
      );
    }
    await page.locator('#c1 summary').first().click();
    expect(await page.locator('#c1 details').first().locator('tbody tr').count()).toBeGreaterThan(
      12,
    );
  });
});
