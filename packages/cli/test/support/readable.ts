import type { Page } from 'playwright-core';

/**
 * Runs in the page: every text that stands out less than 4.5 to 1 from what is behind it, every name of a heading that
 * skips a level, and everything that reaches out of the window.
 */
const LOOK = `(() => {
  const shown = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgba = (color) => {
    shown.clearRect(0, 0, 1, 1);
    shown.fillStyle = color;
    shown.fillRect(0, 0, 1, 1);
    return shown.getImageData(0, 0, 1, 1).data;
  };
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const color = rgba(getComputedStyle(at).backgroundColor);
      if (color[3] === 255) return color;
    }
    return rgba('white');
  };
  const known = new Map();
  const problems = [];
  for (const node of document.querySelectorAll('body *')) {
    const text = [...node.childNodes].filter((one) => one.nodeType === 3).map((one) => one.data).join('').trim();
    if (text === '' || !node.checkVisibility()) continue;
    const style = getComputedStyle(node);
    const key = (node instanceof SVGElement ? style.fill : style.color) + behind(node);
    if (!known.has(key)) {
      const inks = [rgba(node instanceof SVGElement ? style.fill : style.color), behind(node)];
      const [light, dark] = inks.map(luminance).sort((a, b) => b - a);
      known.set(key, (light + 0.05) / (dark + 0.05));
    }
    const contrast = known.get(key);
    if (contrast < 4.5) problems.push('contrast of ' + contrast.toFixed(2) + ': ' + text.slice(0, 40));
  }
  let level = 0;
  for (const heading of document.querySelectorAll('h1, h2, h3, h4, h5, h6')) {
    const next = Number(heading.tagName[1]);
    if (next > level + 1) problems.push('heading skips a level: ' + heading.textContent);
    level = next;
  }
  const room = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > room) problems.push('wider than the window');
  return { problems: [...new Set(problems)], texts: known.size };
})()`;

/** What is hard to read in a page, or for a screen reader to find its way in. */
export async function unreadable(page: Page): Promise<readonly string[]> {
  const { problems, texts } = (await page.evaluate(LOOK)) as { problems: string[]; texts: number };
  return texts > 0 ? problems : ['there is no text'];
}
