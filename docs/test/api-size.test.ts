import { join } from 'node:path';
import { expect, it } from 'vitest';
import { breakerSizes, pathSizes } from './api-size.ts';
import { ROOT } from './blocks.ts';

const HEAD = `# How large the API is

\`npm run docs\` counts it from the sources and prints this page.
`;

it('[SITE8] counts what each published path exports, and what a breaker has', async () => {
  const paths = pathSizes();
  const ofCore = paths.find(({ path }) => path === '@teamfuse/core');
  expect(ofCore?.values).toBeGreaterThan(10);
  const sizes = Object.entries(breakerSizes());
  for (const [, count] of sizes) expect(count).toBeGreaterThan(4);
  const page = [
    HEAD,
    `Core has ${sizes.map(([what, count]) => `${count} ${what}`).join(', ')}.`,
    '',
    'Each path exports so many values and types:',
    '',
    '```',
    ...paths.map(({ path, values, types }) => `${path.padEnd(40)}${values}`.padEnd(46) + types),
    '```',
    '',
  ].join('\n');
  await expect(page).toMatchFileSnapshot(join(ROOT, 'docs/api-size.md'));
});
