import type { Breaker } from '../../src/index.ts';
import { AT_THE_END } from './invariants.ts';
import type { Scene } from './scene.ts';

/** Longer than anything lasts. */
const LONG_MS = 1e7;

/** What a store holds. */
interface Totals {
  readonly spent: { readonly tokens: number };
  readonly reserved: { readonly tokens: number };
}

/** Brings a scene to its end: what hangs is stopped, and what is given up expires. */
export async function close(scene: Scene): Promise<void> {
  const { world, breaker, store, troubles } = scene;
  const { scheduler, parties, books } = world;
  const check = (): boolean => world.check();
  // What hangs ends with the time of its run, which a reset lets begin with its next signal.
  const isTimed = scene.options.maxRunMs !== undefined;
  const waiting = parties
    .flatMap(({ ops }) => [...ops])
    .find((op) => op.phase !== 'working' || (isTimed && op.epoch === op.party.epoch));
  if (waiting !== undefined) world.violate(AT_THE_END.over, `${waiting}, ${waiting.phase}`);
  if (store !== undefined) store.isWell = true;
  await scheduler.step(() => {
    breaker.stop('the end');
    world.stop = 'it is the end';
    world.endAll(parties, 'everything was stopped');
  });
  check();
  await scheduler.run(check);
  const stuck = parties.flatMap(({ ops }) => [...ops])[0];
  if (stuck !== undefined) world.violate(AT_THE_END.over, `${stuck}, ${stuck.phase}`);
  const before = totalsOf(scene).reserved.tokens;
  if (before > books.running && !troubles.has('store')) {
    world.violate(AT_THE_END.unheld, `${before} tokens, although ${books.running} are used`);
  }
  scheduler.time += LONG_MS;
  breaker.trackCost(0);
  await scheduler.run(check);
  const { spent, reserved } = totalsOf(scene);
  if (reserved.tokens > 0) world.violate(AT_THE_END.unheld, `${reserved.tokens} tokens`);
  const { told, untold } = books;
  const isRolling = scene.options.budget?.windowMs !== undefined;
  const isBooked = isRolling
    ? spent.tokens === 0
    : spent.tokens >= told && spent.tokens <= told + untold;
  if (!isBooked) {
    world.violate(AT_THE_END.booked, `the store has ${spent.tokens} tokens of ${told + untold}`);
  }
}

function totalsOf({ books, breaker }: Scene): Totals {
  return books?.totals() ?? memoryOf(breaker);
}

/** The books of a breaker's own store. */
function memoryOf(breaker: Breaker): Totals {
  const { memory } = breaker.snapshot().spend as unknown as {
    readonly memory: {
      readonly spent: { readonly tokens: number };
      readonly reservations: readonly (readonly [string, { readonly tokens: number }])[];
    };
  };
  const tokens = memory.reservations.reduce((sum, [, one]) => sum + one.tokens, 0);
  return { spent: memory.spent, reserved: { tokens } };
}
