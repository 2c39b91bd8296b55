// What the benches of the adapters share: what a guard adds to a step, and whether memory stays flat.
import { setTimeout } from 'node:timers/promises';

/** Runs in one measurement. */
const RUNS = 4;

/**
 * Runs the same agent in several ways, in turn. Prints the median time of a step: of the first 1,000, and after `warmUp` rounds.
 *
 * @param ways what each runs, and `beside`: the way it is compared with
 * @param steps how many steps a run has
 */
export async function timeSteps(ways, { steps, rounds = 60, warmUp = 300, unit = 'step' }) {
  const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round < warmUp + rounds; round++) {
    const all = Object.entries(ways);
    // Whatever runs first compiles for the others.
    if (round % 2 === 1) all.reverse();
    for (const [name, { run }] of all) times[name].push(await microsOf(run, steps));
  }
  const first = Math.ceil(1000 / RUNS / steps);
  console.log(
    `µs a ${unit}: of the first ${first * RUNS * steps}, and after ${warmUp * RUNS * steps}`,
  );
  const medians = [
    (taken) => median(taken.slice(0, first)),
    (taken) => median(taken.slice(warmUp)),
  ];
  for (const [name, { beside }] of Object.entries(ways)) {
    const shown = medians.map((of) => {
      const micros = of(times[name]);
      const more = beside && ` (${Math.round(micros - of(times[beside]))} more)`;
      return `${Math.round(micros)}${more ?? ''}`.padEnd(18);
    });
    console.log(`  ${name.padEnd(32)}${shown.join('')}`.trimEnd());
  }
}

async function microsOf(run, steps) {
  const began = process.hrtime.bigint();
  for (let at = 0; at < RUNS; at++) await run();
  return Number(process.hrtime.bigint() - began) / 1000 / RUNS / steps;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

/** Prints the heap after each of four lots of runs, `atOnce` of which are under way at a time. */
export async function weighRuns(name, run, { runs = 1000, atOnce = 100 } = {}) {
  const megabytes = [];
  for (let lot = 0; lot < 4; lot++) {
    for (let at = 0; at < runs; at += atOnce) {
      await Promise.all(Array.from({ length: atOnce }, run));
    }
    // What was forgotten is let go of in later turns of the event loop.
    for (let turn = 0; turn < 5; turn++) {
      await setTimeout(20);
      globalThis.gc?.();
    }
    megabytes.push((process.memoryUsage().heapUsed / 1e6).toFixed(1));
  }
  console.log(`heap after each ${runs} runs ${name}: ${megabytes.join(', ')} MB`);
}
