import { fork } from 'node:child_process';
import { once } from 'node:events';
import { GENERATIONS } from './crews.js';
import { VARIANTS } from './variants.js';

/** How much more a turn may take, in microseconds of CPU time. */
const TARGET = 25;

async function ask(worker, size) {
  worker.send(size);
  const [took] = await once(worker, 'message');
  return took;
}

/** The fastest of several rounds by variant; the variants take turns, so that no other program slows one of them alone. */
async function compare(workers, size, rounds) {
  const best = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, worker] of Object.entries(workers)) {
      const { cpu, wall } = await ask(worker, size);
      const before = best[name] ?? { cpu, wall };
      best[name] = { cpu: Math.min(before.cpu, cpu), wall: Math.min(before.wall, wall) };
    }
  }
  return best;
}

function start(name) {
  return fork(new URL('measured.js', import.meta.url), [name]);
}

/** Prints what a turn takes with and without a guard, and whether that is little enough. */
export async function printCosts({ turns, rounds, counts, print }) {
  const workers = Object.fromEntries(Object.keys(VARIANTS).map((name) => [name, start(name)]));
  let most = 0;
  for (const generation of Object.keys(GENERATIONS)) {
    for (const count of counts) {
      const size = { generation, count, turns: Math.max(1, Math.round(turns / count)) };
      const best = await compare(workers, size, rounds);
      for (const [name, { cpu, wall }] of Object.entries(best)) {
        const more = cpu - best.unguarded.cpu;
        most = Math.max(most, more);
        const took = `${cpu.toFixed(1)} µs of CPU, ${wall.toFixed(1)} µs by the clock`;
        const guarded = name === 'unguarded' ? '' : `: ${more.toFixed(1)} more`;
        print(`${generation} style, ${count} at once, ${name}, a turn: ${took}${guarded}`);
      }
    }
  }
  for (const worker of Object.values(workers)) worker.disconnect();
  const verdict = most <= TARGET ? 'met' : 'missed';
  print(`target ${verdict}: at most ${most.toFixed(1)} µs more a turn, of ${TARGET} allowed`);
}
