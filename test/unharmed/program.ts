import { writeSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { Fault, WAYS } from './fault.ts';
import type { Scenes } from './scene.ts';

/** Each needs packages of its own. */
const PARTS: Readonly<Record<string, () => Promise<Scenes>>> = {
  core: async () => (await import('./scenes/core.ts')).CORE,
  telling: async () => (await import('./scenes/telling.ts')).TELLING,
  guards: async () => (await import('./scenes/guards.ts')).GUARDS,
  traffic: async () => (await import('./scenes/traffic.ts')).TRAFFIC,
  files: async () => (await import('./scenes/files.ts')).FILES,
  redis: async () => (await import('./scenes/servers.ts')).REDIS,
  postgres: async () => (await import('./scenes/servers.ts')).POSTGRES,
  planted: async () => (await import('./scenes/planted.ts')).PLANTED,
};

const OWN_EXIT_CODE = 3;
/** Much longer than ending takes, and shorter than anything that Teamfuse waits for. */
const AT_ONCE_MS = 5_000;

let current = '';
let overAt = Number.NaN;
const problems = new Set<string>();
const note = (what: string) => (error: unknown) => {
  problems.add(`${current}: ${what}: ${error instanceof Error ? wayOf(error) : error}`);
};

/** Where in our code an error has been: enough to find it. */
function wayOf({ stack = '' }: Error): string {
  const [message, ...frames] = stack.split('\n');
  return [message, ...frames.filter((frame) => frame.includes('/src/')).slice(0, 3)].join('\n');
}

process.on('unhandledRejection', note('nobody handles a rejection'));
process.on('uncaughtException', note('nobody catches an error'));
process.on('exit', () => {
  const waited = performance.now() - overAt;
  if (waited > AT_ONCE_MS) problems.add(`it was kept alive for ${Math.round(waited)} ms`);
  writeSync(1, JSON.stringify([...problems]));
});
// What is printed is of no matter here.
console.log = console.warn = console.error = () => {};

// Plays the scenes of a part one after another, and says what each has done to the process.
const scenes = await PARTS[process.argv[2] ?? '']?.();
if (scenes === undefined) throw new Error(`expected one of ${Object.keys(PARTS)}`);
for (const [scene, { told, isOwnWay, play }] of Object.entries(scenes)) {
  for (const way of isOwnWay ? WAYS.slice(0, 1) : WAYS) {
    current = `${scene} ${way}`;
    const fault = new Fault(way);
    const heard = new Set<string>();
    try {
      await play(fault, (where) => heard.add(where));
      await fault.comeLate();
      await turn();
    } catch (error) {
      note('it fails')(error);
    }
    if (!isOwnWay && fault.count === 0) problems.add(`${current}: nothing was asked of it`);
    if (!heard.has(told))
      problems.add(`${current}: '${told}' heard of nothing, only ${[...heard]}`);
  }
}
current = 'afterwards';
overAt = performance.now();
process.exitCode = OWN_EXIT_CODE;
