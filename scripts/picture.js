// Draws docs/cost-per-call.svg from what the demo prints: `npm run picture`.

import { readFileSync, writeFileSync } from 'node:fs';

const SCENARIO = 'history-drift';
const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [720, 300, 64, 56, 252];

const rows = readFileSync(0, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const row = rows.find(({ scenario, twin }) => scenario === SCENARIO && !twin);
const without = row.without.nanoUsdByCall;
const withIt = row.with.nanoUsdByCall;
const highest = Math.max(...without);

const x = (call) => LEFT + ((WIDTH - LEFT - 24) * call) / (without.length - 1);
const y = (nanoUsd) => BOTTOM - ((BOTTOM - TOP) * nanoUsd) / highest;
const path = (costs) =>
  costs.map((cost, i) => `${i === 0 ? 'M' : 'L'}${x(i).toFixed(1)} ${y(cost).toFixed(1)}`).join('');
const cents = (nanoUsd) => `${(nanoUsd / 1e7).toFixed(1)} ¢`;
const dollars = (usd) => `$${usd.toFixed(2)}`;
const text = (left, top, words, more = '') =>
  `<text x="${left}" y="${top}" ${more}>${words}</text>`;
const end = { x: x(withIt.length - 1), y: y(withIt.at(-1)) };

const svg = [
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" font-family="system-ui, sans-serif" font-size="14" fill="#444">`,
  `<title>Two agents quote each other in full. Without a breaker ${without.length} calls cost ${dollars(row.without.usd)}; with one the team stops after ${withIt.length} calls and ${dollars(row.with.usd)}.</title>`,
  `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#fff"/>`,
  text(
    LEFT,
    28,
    'What each model call costs: two agents that quote each other in full',
    'font-weight="600"',
  ),
  `<path d="M${LEFT} ${TOP}V${BOTTOM}H${WIDTH - 24}" fill="none" stroke="#bbb"/>`,
  text(LEFT - 8, TOP + 5, cents(highest), 'text-anchor="end"'),
  text(LEFT - 8, BOTTOM + 5, '0 ¢', 'text-anchor="end"'),
  text(LEFT, BOTTOM + 24, 'first call'),
  text(WIDTH - 24, BOTTOM + 24, `call ${without.length}`, 'text-anchor="end"'),
  `<path d="${path(without)}" fill="none" stroke="#c0392b" stroke-width="2.5"/>`,
  text(
    Math.round(x(without.length * 0.6)),
    TOP + 40,
    `without a breaker: ${dollars(row.without.usd)} in all`,
    'fill="#c0392b" text-anchor="end"',
  ),
  `<path d="${path(withIt)}" fill="none" stroke="#1e7e45" stroke-width="5"/>`,
  `<circle cx="${end.x.toFixed(1)}" cy="${end.y.toFixed(1)}" r="6" fill="#1e7e45"/>`,
  text(
    Math.round(end.x + 14),
    BOTTOM - 6,
    `with Teamfuse: stopped after ${withIt.length} calls, ${dollars(row.with.usd)}`,
    'fill="#1e7e45"',
  ),
  '</svg>',
];
writeFileSync(new URL('../docs/cost-per-call.svg', import.meta.url), `${svg.join('\n')}\n`);
console.log(
  `${SCENARIO}: ${without.length} calls and ${dollars(row.without.usd)} without a breaker, ` +
    `${withIt.length} and ${dollars(row.with.usd)} with one; docs/cost-per-call.svg is drawn`,
);
