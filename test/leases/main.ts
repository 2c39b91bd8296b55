// Compares rules for the size of leases in virtual time. `npm run simulate:leases`; `-- --processes 10,100` for some sizes of a
// fleet only, `-- --rules 'none|own rate'` for some rules, `-- --lasts 600` for budgets that last for other seconds, `-- --seed 7`
// for other calls.
import { parseArgs } from 'node:util';
import { rulesFor } from './rules.ts';
import { type Scenario, simulate } from './simulate.ts';

/** Fleets of all sizes, each as long as it takes to use up its budget. */
const SCENARIOS: readonly Scenario[] = [
  { processes: 10, perSecond: 100, seconds: 400, enough: 0.8 },
  { processes: 100, perSecond: 500, seconds: 240, enough: 0.8 },
  { processes: 1_000, perSecond: 2_000, seconds: 90, enough: 0.8 },
  { processes: 10_000, perSecond: 10_000, seconds: 30, enough: 0.8 },
];

const { values } = parseArgs({
  options: {
    processes: { type: 'string', default: SCENARIOS.map(({ processes }) => processes).join() },
    seed: { type: 'string', default: '1' },
    lasts: { type: 'string' },
    rules: { type: 'string' },
  },
});
const wanted = values.processes.split(',').map(Number);
const seed = Number(values.seed);
const lasts = values.lasts === undefined ? undefined : Number(values.lasts);
const isUnknown = wanted.some((one) => !SCENARIOS.some(({ processes }) => processes === one));
if (isUnknown || !Number.isSafeInteger(seed) || (lasts !== undefined && !(lasts > 0))) {
  console.error(
    "usage: npm run simulate:leases -- [--processes 10,100,1000,10000] [--rules 'none|own rate'] [--lasts 600] [--seed 7]",
  );
  process.exit(2);
}

const HEAD = [
  'processes',
  'rule',
  'calls',
  'lasted s',
  'trips/call',
  'refused',
  'stranded',
  'idle then',
  'used then',
  'lost',
  'overshoot',
];
console.log(`| ${HEAD.join(' | ')} |\n|${'---|'.repeat(HEAD.length)}`);
for (const fleet of SCENARIOS.filter(({ processes }) => wanted.includes(processes))) {
  const scenario = lasts === undefined ? fleet : { ...fleet, seconds: lasts / fleet.enough };
  for (const [name, rule] of Object.entries(rulesFor(scenario.processes))) {
    if (values.rules !== undefined && !values.rules.split('|').includes(name)) continue;
    const one = await simulate(scenario, rule, seed);
    const cells = [
      scenario.processes,
      name,
      one.calls,
      Math.round(one.lastedS),
      one.trips.toFixed(3),
      one.refused,
      one.stranded,
      percent(one.idleThen),
      percent(one.usedThen),
      percent(one.lost),
      one.overshoot,
    ];
    console.log(`| ${cells.map((cell) => cell.toLocaleString('en')).join(' | ')} |`);
    if (one.overshoot > 0) process.exitCode = 1;
  }
}

function percent(part: number): string {
  return `${(100 * part).toFixed(2)} %`;
}
