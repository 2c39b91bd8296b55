import { EventEmitter } from 'node:events';
import { SeededRandom } from '../../../testing/src/seeded-random.ts';
import { type Cut, type Played, play } from './play.ts';
import type { Violation } from './world.ts';

/** Scenes of a thousand conversations take seconds each. */
const MOST_TRIES = 100;

/** A scene that went wrong, with as little in it as it takes. */
export interface Failure extends Violation {
  readonly seed: number;
  readonly without: readonly string[];
}

/** What came of many scenes. */
export interface Simulated {
  readonly scenes: number;
  readonly steps: number;
  readonly failure: Failure | undefined;
}

/** How a scene is played: by default, conversations that run on the core. */
export type Play = (seed: number, cut?: Cut) => Promise<Played>;

/** Plays the scenes of one seed after the other until so many steps are done, or something is wrong. */
export function simulate(seed: number, least: number, playing: Play = play): Promise<Simulated> {
  return unhindered(() => playScenes(seed, least, playing));
}

async function playScenes(seed: number, least: number, playing: Play): Promise<Simulated> {
  let steps = 0;
  let scenes = 0;
  while (steps < least) {
    const own = seed + scenes++;
    const played = await playScene(own, {}, playing);
    steps += played.steps;
    if (played.violation === undefined) continue;
    return { scenes, steps, failure: await smallest(own, played, playing) };
  }
  return { scenes, steps, failure: undefined };
}

/** The first violation of these scenes, not made smaller. */
export async function firstViolation(
  seed: number,
  most: number,
  cut: Cut,
  playing: Play = play,
): Promise<Violation | undefined> {
  return unhindered(async () => {
    let violation: Violation | undefined;
    for (let [own, steps] = [seed, 0]; violation === undefined && steps < most; own++) {
      const played = await playScene(own, cut, playing);
      steps += played.steps;
      violation = played.violation;
    }
    return violation;
  });
}

/** A failure, as people read it. */
export function tell({ seed, step, invariant, what, without, events }: Failure): string {
  const left = without.length === 0 ? '' : `, also without ${without.join(', ')}`;
  return [`seed ${seed}, step ${step}: broken: ${invariant}: ${what}${left}`, ...events].join(
    '\n  ',
  );
}

/** Stacks of errors would take more time than all the rest, and many steps listen to one signal. */
async function unhindered<T>(playing: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  const { defaultMaxListeners } = EventEmitter;
  Error.stackTraceLimit = 0;
  EventEmitter.defaultMaxListeners = 0;
  try {
    return await playing();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    EventEmitter.defaultMaxListeners = defaultMaxListeners;
  }
}

/** Plays a scene, and one of its conversations by itself: it must not notice. */
async function playScene(seed: number, cut: Cut, playing: Play): Promise<Played> {
  const played = await playing(seed, cut);
  const { logs, isFree, violation } = played;
  if (!isFree || violation !== undefined) return played;
  const lived = [...logs.keys()].filter((name) => cut.without?.has(name) !== true);
  if (lived.length < 2) return played;
  const alone = new SeededRandom(seed).pick(lived);
  const again = await playing(seed, { ...cut, alone });
  const steps = played.steps + again.steps;
  const [among, own] = [logs.get(alone) ?? [], again.logs.get(alone) ?? []];
  const at = among.findIndex((line, i) => line !== own[i]);
  if (at < 0 && among.length === own.length)
    return { ...played, steps, violation: again.violation };
  const what = `${alone} among others: ${among.at(at)}; alone: ${own[at]}`;
  const invariant = 'each conversation lives as if it were alone';
  return { ...played, steps, violation: { invariant, what, step: steps, events: [] } };
}

/** Leaves out what is not needed for the same violation: many parts at once first, then fewer. */
async function smallest(
  seed: number,
  { violation, parts }: Played,
  playing: Play,
): Promise<Failure> {
  let found = violation as Violation;
  const without: Set<string> = new Set();
  let tries = MOST_TRIES;
  for (let size = Math.ceil(parts.length / 2); size > 0 && tries > 0; size = Math.floor(size / 2)) {
    const left = parts.filter((part) => !without.has(part));
    for (let i = 0; i < left.length && tries > 0; i += size, tries--) {
      const some = left.slice(i, i + size);
      const cut = { without: new Set([...without, ...some]) };
      const { violation: still } = await playScene(seed, cut, playing);
      if (still?.invariant !== found.invariant) continue;
      for (const part of some) without.add(part);
      found = still;
    }
  }
  return { ...found, seed, without: [...without] };
}
