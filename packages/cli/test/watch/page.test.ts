import { Breaker, type Signal } from '@teamfuse/core';
import { DETECTOR_SPECS } from '@teamfuse/core/detectors';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BreakerWatch, watch } from '../../src/watch/index.ts';
import { BROWSER } from '../support/browser.ts';
import { unreadable } from '../support/readable.ts';

type Spec = (typeof DETECTOR_SPECS)[number];

const SHOTS = process.env.TEAMFUSE_SCREENSHOTS;

const said = (at: number, agent: string, text: string): Signal => ({
  kind: 'message',
  at,
  agent,
  text,
});

const spent = (at: number, agent: string): Signal => ({
  kind: 'usage',
  at,
  agent,
  model: 'gpt-4o-mini',
  inputTokens: 1200,
  outputTokens: 300,
  costUsd: 0.0012,
});

/** A writer and a critic who begin well, and then praise each other. */
function praise(breaker: Pick<Breaker, 'observe'>, turns: number): void {
  const begin = [
    'Sales rose by 12 percent in May, most of all in Berlin.',
    'Which branch sold least, and why?',
    'Hamburg, with 310 bicycles: the shop was closed for nine days.',
  ];
  for (let turn = 0; turn < turns; turn++) {
    const agent = turn % 2 === 0 ? 'writer' : 'critic';
    breaker.observe(spent(turn * 1000, agent));
    breaker.observe(
      said(
        turn * 1000,
        agent,
        begin[turn] ?? 'Thank you, that is a very good report. Please go on.',
      ),
    );
  }
}

describe.skipIf(BROWSER === undefined)('the page of watch (needs Chromium)', () => {
  let browser: Browser;
  const open: BreakerWatch[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({
      ...(BROWSER !== undefined && { executablePath: BROWSER }),
      args: ['--no-sandbox'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    for (const page of open) await page.close();
  });

  /** Opens the page of a breaker, and keeps what goes wrong there or leaves it. */
  async function openPage(
    breaker: Breaker,
    options: { colorScheme?: 'light' | 'dark'; width?: number } = {},
  ): Promise<{ page: Page; problems: string[] }> {
    const served = await watch(breaker);
    open.push(served);
    const { colorScheme = 'light', width = 1100 } = options;
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 800 } });
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(served.url) && url !== 'data:,') problems.push(`requested ${url}`);
    });
    await page.goto(served.url);
    await page.waitForSelector('#connection.live');
    return { page, problems };
  }

  it('[WAT1] [WAT2] shows who speaks, suspicion and money, and the trip as it happens', async () => {
    const breaker = new Breaker();
    const { page, problems } = await openPage(breaker);
    praise(breaker, 4);
    await page.waitForSelector('article .speaking');
    expect(await page.textContent('article h2')).toBe('main');
    expect(await page.textContent('.speaking')).toBe('critic 2');
    expect(await page.textContent('.money')).toBe('$0.0048');
    expect(await page.isVisible('.trip')).toBe(false);
    praise(breaker, 12);
    await page.waitForSelector('article.tripped .trip');
    expect(await page.textContent('.trip h3')).toBe(breaker.conversation().trip?.kind);
    expect(await page.textContent('.trip p')).toBe(breaker.conversation().trip?.reason);
    expect(Number(await page.textContent('.score'))).toBeGreaterThan(0);
    breaker.reset();
    await page.waitForSelector('article:not(.tripped)');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('[WAT12] calls a conversation after its task, and shows the id below', async () => {
    const breaker = new Breaker();
    const { page, problems } = await openPage(breaker);
    const id = '2026-11-23T04:24:27.558Z-5454#4';
    const text = 'Write the launch plan of the new bicycle bell, and check each figure.\nBe brief.';
    const conversation = breaker.conversation(id);
    conversation.observe({ kind: 'human-input', at: 0, agent: 'user', text });
    conversation.observe(said(1, 'writer', 'Here is a first draft.'));
    await page.waitForSelector('article .id:not([hidden])');
    expect(await page.textContent('h2')).toBe(
      'Write the launch plan of the new bicycle bell, and check each figure.…',
    );
    expect(await page.textContent('.id')).toBe(id);
    expect(problems).toEqual([]);
    await page.close();
  });

  it('[WAT13] shows no suspicion where a limit stopped the team, and a full bar where suspicion does', async () => {
    const breaker = new Breaker({ maxMessages: 1 });
    const { page } = await openPage(breaker);
    breaker.observe(said(0, 'writer', 'Sales rose by 12 percent in May.'));
    await page.waitForSelector('article.tripped');
    expect(await page.isVisible('.suspicion')).toBe(false);
    const [{ options }] = DETECTOR_SPECS.filter(({ kind }) => kind === 'speaker-cycle') as [Spec];
    expect(Number(await page.getAttribute('meter', 'max'))).toBe(options.stopAt?.default);
    await page.close();
  });

  it('[WAT1] says that it waits, how many there are, and when the connection was lost', async () => {
    const breaker = new Breaker();
    const { page, problems } = await openPage(breaker);
    expect(await page.textContent('#empty b')).toBe('Waiting for the first signal');
    for (let i = 0; i < 100; i++) praise(breaker.conversation(`order ${i}`), i < 3 ? 12 : 1);
    await page.waitForSelector('article >> nth=49');
    await page.waitForFunction(`document.title === '3 tripped: Teamfuse'`);
    expect(await page.isVisible('#empty')).toBe(false);
    expect(await page.textContent('#totals')).toBe(
      '100 conversations, 3 tripped; the latest 50 are shown',
    );
    expect(problems).toEqual([]);
    await open.at(-1)?.close();
    await page.waitForSelector('#lost:not([hidden])');
    expect(await page.textContent('#connection')).toBe('not connected');
    expect(await page.locator('article').count()).toBe(50);
    expect(await unreadable(page)).toEqual([]);
    await page.close();
  });

  it('[WAT4] shows hostile text as text', async () => {
    const breaker = new Breaker();
    const { page, problems } = await openPage(breaker);
    const attack = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const key = `sk-proj-${'a1B2c3D4e5F6g7H8'}`;
    breaker.conversation(attack).observe(said(0, attack, `${attack} ‮ ${key}\n\ndata: x`));
    await page.waitForSelector('article .lines li');
    expect(await page.locator('img, article script').count()).toBe(0);
    expect(await page.textContent('h2')).toContain('<img src=x');
    const shown = await page.textContent('main');
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/‮|a1B2c3D4/);
    expect(await page.title()).toBe('Teamfuse');
    expect(problems).toEqual([]);
    await page.close();
  });

  it('[WAT1] has room on a phone, in light and in dark, with all texts standing out', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const width of [1100, 360]) {
        const breaker = new Breaker();
        const { page, problems } = await openPage(breaker, { colorScheme, width });
        praise(breaker, 12);
        praise(breaker.conversation('invoices 2026-05'), 3);
        const other = breaker.conversation('a-name-without-any-space-that-is-longer-than-a-phone');
        other.observe(said(0, 'an_agent_with_a_long_name', 'x'.repeat(300)));
        await page.waitForSelector('article >> nth=2');
        await page.waitForSelector('.tripped');
        expect(await unreadable(page)).toEqual([]);
        if (SHOTS !== undefined) {
          await page.screenshot({ path: `${SHOTS}/${colorScheme}-${width}.png`, fullPage: true });
        }
        expect(problems).toEqual([]);
        await page.close();
      }
    }
  });
});
