import {
  BudgetExceededError,
  guard,
  guardOf,
  isTripped,
  LoopDetectedError,
} from '../../src/index.ts';
import { news, work } from './outside.ts';
import type { Scene } from './scene.ts';
import type { Party } from './world.ts';

const CENT = 0.01;
const NANO = 1e9;
const BURSTS = 6;

/** A function that is guarded and called many times at once, with ever other ids, within a budget. */
export async function callFunctions(scene: Scene, party: Party): Promise<void> {
  const { world } = scene;
  const { random, name } = party;
  const cents = 5 + random.below(60);
  const isEstimated = random.oneIn(2);
  let [spent, running, most] = [0, 0, 0];
  const steady = new AbortController();

  const lookUp = async (_id: string): Promise<number> => {
    world.note(`${name} is called`);
    const [cost, held] = [1 + random.below(5), isEstimated ? 5 : 0];
    if (spent + running + held > cents) {
      world.violate(FITS, `${name}: ${spent} spent, ${running} held of ${cents}`);
    }
    if (!isEstimated && running > 0) world.violate(FITS, `${name}: two calls of unknown size`);
    running += isEstimated ? held : 1;
    try {
      const given = await work(world, party, steady, {
        gives: () => cost,
        fails: () => new Error(news(random)),
        failsIn: 25,
      });
      spent += given;
      return given;
    } finally {
      most += isEstimated ? held : cost;
      running -= isEstimated ? held : 1;
    }
  };

  const guarded = guard(lookUp, {
    name,
    now: world.scheduler.now,
    budget: { maxUsd: cents * CENT },
    ...(isEstimated && { estimate: () => 5 * CENT }),
    cost: (_id, given) => given * CENT,
  });
  const call = async (id: string, isNew: boolean): Promise<void> => {
    try {
      await guarded(id);
    } catch (error) {
      if (isNew && error instanceof LoopDetectedError)
        world.violate('healthy work goes on', `${name}: ${error.message}`);
      if (
        isTripped(error) &&
        !(error instanceof LoopDetectedError) &&
        !(error instanceof BudgetExceededError)
      ) {
        world.violate('nothing else is thrown', String(error));
      }
    }
  };

  await world.scheduler.pause(random.below(2_000));
  for (let burst = 0; burst < BURSTS; burst++) {
    const times = random.oneIn(3) ? 2 + random.below(20) : 1;
    const calls = Array.from({ length: times }, () =>
      call(idOf(random.below(1e9), random.below(4)), true),
    );
    void Promise.all(calls);
    await world.scheduler.pause(random.below(2_000));
    const { nanoUsd = 0 } = guardOf(guarded)?.counters ?? {};
    const booked = Math.round(nanoUsd / NANO / CENT);
    if (booked < spent) world.violate(BOOKED, `${name}: ${booked} booked of ${spent}`);
    if (booked > most) world.violate(BOOKED, `${name}: ${booked} booked, ${most} at most`);
  }
}

const FITS = 'a budget holds for all calls together';
const BOOKED = 'what was served is booked, once';

/** An id as programs make them. */
function idOf(number: number, kind: number): string {
  const hex = number.toString(16).padStart(8, '0');
  if (kind === 0) return `${hex}-1d0c-4b6e-9f00-${hex}0000`;
  if (kind === 1) return `${hex}${hex}${hex}`;
  return kind === 2
    ? `order ${number}`
    : `2026-11-23T10:00:00.${String(number % 1000).padStart(3, '0')}Z ${hex}`;
}
