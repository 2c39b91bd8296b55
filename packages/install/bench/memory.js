import { setImmediate } from 'node:timers/promises';
import { Breaker } from '@teamfuse/core';
import { GENERATIONS } from './crews.js';

const SAMPLES = 20;
/** A heap that keeps nothing still differs by this much from one look at it to the next. */
const NOISE_MB = 1;

/** Each gives the crew of the next run, all of them under one breaker. */
const WAYS = {
  'one conversation that goes on': (make, turns, breaker) => {
    const crew = make(turns);
    crew.guard(breaker);
    return () => crew;
  },
  'a new team for each run': (make, turns, breaker) => () => {
    const crew = make(turns);
    crew.guard(breaker);
    return crew;
  },
};

async function heapMb() {
  // The conversations of teams that are gone are forgotten in later turns of the event loop, and freed after that.
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc();
    await setImmediate();
  }
  globalThis.gc();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** The heap along the way. */
async function heaps(nextCrew, { turns, length }) {
  const heap = [];
  const runs = Math.ceil(turns / length);
  const every = Math.max(1, Math.floor(runs / SAMPLES));
  for (let run = 1; run <= runs; run++) {
    const crew = nextCrew();
    await crew.run();
    await crew.forget();
    await setImmediate();
    if (run % every === 0) heap.push(await heapMb());
  }
  return heap;
}

/** Prints how much the heap grows in the second half of many turns through a guard. */
export async function printMemory({ turns, length, print }) {
  let most = 0;
  for (const [generation, make] of Object.entries(GENERATIONS)) {
    for (const [name, way] of Object.entries(WAYS)) {
      const nextCrew = way(make, length, new Breaker({ reaction: 'warn' }));
      const heap = await heaps(nextCrew, { turns, length });
      const middle = heap[Math.floor(heap.length / 2)];
      const grown = heap.at(-1) - middle;
      most = Math.max(most, grown);
      const from = `from ${middle.toFixed(1)} to ${heap.at(-1).toFixed(1)} MB`;
      print(`${generation} style, ${turns} turns, ${name}: second half ${from}`);
    }
  }
  const verdict = most <= NOISE_MB ? 'flat' : 'not flat';
  print(`memory ${verdict}: it grows by ${most.toFixed(1)} MB at most, of ${NOISE_MB} allowed`);
}
