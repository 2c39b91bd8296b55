import { isTripped } from '../../packages/core/src/index.ts';
import { planDeeds } from '../../packages/core/test/simulation/operator.ts';
import type { Cut, Played } from '../../packages/core/test/simulation/play.ts';
import { type Scene, setScene } from '../../packages/core/test/simulation/scene.ts';
import type { Op, Party } from '../../packages/core/test/simulation/world.ts';
import { makeChat, makeTeam, type Run } from './teams.ts';

const RUNS = 3;
/** The later generation lets others go first between turns. */
const YIELDS = 6;
/** What these scenes have no use for: they name no conversations, and wait for nobody. */
const LEFT_OUT: readonly string[] = ['judge', 'functions', 'snapshots', 'budget'];

/** Plays a scene in which guarded teams of both generations run on one breaker. */
export async function playTeams(
  seed: number,
  { without = new Set(), spoil }: Cut = {},
): Promise<Played> {
  const scene = setScene(seed, new Set([...without, ...LEFT_OUT]), YIELDS);
  spoil?.(scene);
  const { world, breaker, troubles, store } = scene;
  const { scheduler } = world;
  const { maxModelCalls, maxToolCalls } = scene.declared;
  const names = Array.from({ length: 1 + (scene.parties % 5) }, (_, i) => `team ${i}`);
  const parties = names.map((name) =>
    world.join(name, {
      ...(maxModelCalls && { maxModelCalls }),
      ...(maxToolCalls && { maxToolCalls }),
    }),
  );
  breaker.on('error', ({ error, during }) => {
    if (during !== 'store') world.violate('nothing else is thrown', String(error));
  });
  breaker.on('trip', () => void world.trips++);
  breaker.on('state', ({ to }) => {
    if (to.status === 'open' || to.status === 'stopped') world.openings++;
    if (to.status === 'stopped' && to.trip.reason === 'enough') endRuns(scene);
  });
  planDeeds(scene);
  let living = 0;
  for (const party of parties) {
    if (without.has(party.name)) continue;
    living++;
    live(scene, party).then(
      () => void living--,
      (error) => world.violate('nothing else is thrown', String(error)),
    );
  }
  const check = (): boolean => world.check();
  await scheduler.run(check);
  if (store !== undefined) store.isWell = true;
  await scheduler.step(() => {
    breaker.stop('the end');
    world.stop = 'it is the end';
    endRuns(scene);
  });
  check();
  await scheduler.run(check);
  if (!world.isBroken && living > 0) world.violate('nothing waits for ever', `${living} teams`);
  const parts = [...troubles, ...names];
  return {
    steps: scheduler.steps,
    violation: world.violation,
    logs: new Map(),
    isFree: false,
    parts,
  };
}

/** Runs that are under way have to end at once. */
function endRuns({ world }: Scene): void {
  for (const { ops } of world.parties) {
    for (const op of ops) if (op.kind === 'turn') world.due.push([op, 'everything was stopped']);
  }
}

async function live(scene: Scene, party: Party): Promise<void> {
  const { world } = scene;
  const { random } = party;
  const run = (random.oneIn(2) ? makeTeam : makeChat)(scene, party);
  for (let i = 0; i < RUNS; i++) {
    await world.scheduler.pause(random.below(4_000));
    party.beginAnew();
    await runOnce(scene, party, run);
  }
}

async function runOnce({ world, troubles }: Scene, party: Party, run: Run): Promise<void> {
  const { random } = party;
  const controller = new AbortController();
  const reason = new Error('given up');
  const isAborting = troubles.has('aborts') && random.oneIn(3);
  const own: Op = world.ask(party, 'turn');
  const abort = (): void => {
    world.note(`${party.name} gives up`);
    world.due.push([own, 'its caller has given it up']);
    controller.abort(reason);
  };
  const alarm = isAborting ? world.scheduler.after(random.below(3_000), abort) : undefined;
  try {
    await run(controller.signal);
    world.end(own, 'done');
  } catch (error) {
    world.end(own, String(error));
    const isStore = troubles.has('store');
    const isBroken = /broke off/.test(String(error) + String(Object(error).cause));
    if (!controller.signal.aborted && !isTripped(error) && !isBroken && !isStore) {
      world.violate('nothing else is thrown', String(error));
    }
  } finally {
    if (alarm !== undefined) world.scheduler.clear(alarm);
  }
}
