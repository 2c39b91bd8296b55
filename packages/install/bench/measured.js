// One variant in a process of its own: a guard makes every promise of its process cost more, with or without it.
import { GENERATIONS } from './crews.js';
import { VARIANTS } from './variants.js';

const breakerOf = VARIANTS[process.argv[2]];

/** What a turn takes in microseconds: of the processor, and by the clock. */
async function measure({ generation, count, turns }) {
  const breaker = breakerOf?.();
  const crews = Array.from({ length: count }, () => GENERATIONS[generation](turns));
  for (const crew of crews) if (breaker) crew.guard(breaker);
  const startedAt = performance.now();
  const before = process.cpuUsage();
  await Promise.all(crews.map((crew) => crew.run()));
  const { user, system } = process.cpuUsage(before);
  const all = count * turns;
  return { cpu: (user + system) / all, wall: ((performance.now() - startedAt) * 1000) / all };
}

process.on('message', async (size) => process.send(await measure(size)));
