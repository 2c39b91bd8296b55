import { Chat } from './chat.ts';
import { callFunctions } from './functions.ts';
import { AT_THE_END } from './invariants.ts';
import { planDeeds } from './operator.ts';
import { type Scene, setScene } from './scene.ts';
import { type Invariant, Party, type Violation } from './world.ts';

/** What came of a scene. */
export interface Played {
  readonly steps: number;
  readonly violation: Violation | undefined;
  /** What each conversation has lived through. */
  readonly logs: ReadonlyMap<string, readonly string[]>;
  /** Whether each conversation lives as if it were alone. */
  readonly isFree: boolean;
  /** What may be left out. */
  readonly parts: readonly string[];
}

/** How a scene is played. */
export interface Cut {
  /** Troubles and conversations that are left out. */
  readonly without?: ReadonlySet<string>;
  /** The only conversation that takes part. */
  readonly alone?: string;
}

/** Plays the scene of a seed to its end, or to its first violation. */
export async function play(
  seed: number,
  { without = new Set(), alone }: Cut = {},
): Promise<Played> {
  const scene = setScene(seed, without);
  const { world } = scene;
  const { scheduler, parties } = world;
  watch(scene);
  const names = Array.from({ length: scene.parties }, (_, i) => `chat ${i}`);
  const chats = names.map((name) => new Chat(scene, world.join(name, scene.declared)));
  planDeeds(scene);
  if (scene.troubles.has('functions') && alone === undefined) {
    for (const name of ['look up', 'read']) {
      callFunctions(scene, new Party(name, world.chance(name))).catch((error) =>
        world.violate('nothing else is thrown', String(error)),
      );
    }
  }
  let living = 0;
  for (const [i, chat] of chats.entries()) {
    const name = names[i] as string;
    if (without.has(name) || (alone ?? name) !== name) continue;
    living++;
    const died = (error: unknown): void => world.violate('nothing else is thrown', String(error));
    chat.live().then(() => void living--, died);
  }
  const check = (): boolean => world.check();
  await scheduler.run(check);
  const logs = new Map(parties.map((party) => [party.name, [...party.log]]));
  if (!world.isBroken) await end(scene, check);
  if (!world.isBroken && living > 0) world.violate('nothing waits for ever', `${living} chats`);
  const { isFree, troubles } = scene;
  const parts = [...troubles, ...names];
  return { steps: scheduler.steps, violation: world.violation, logs, isFree, parts };
}

/** What hangs is stopped, and what is given up expires. */
async function end({ world, breaker, store, books }: Scene, check: () => boolean): Promise<void> {
  const { scheduler, parties } = world;
  const waiting = parties.flatMap(({ ops }) => [...ops]).find(({ phase }) => phase !== 'working');
  if (waiting !== undefined)
    world.violate('nothing waits for ever', `${waiting}, ${waiting.phase}`);
  if (store !== undefined) store.isWell = true;
  await scheduler.step(() => {
    breaker.stop('the end');
    world.stop = 'it is the end';
    world.endAll(parties, 'everything was stopped');
  });
  check();
  await scheduler.run(check);
  finish(AT_THE_END);
  scheduler.time += 1e7;
  breaker.trackCost(0);
  await scheduler.run(check);
  const totals = books?.totals() ?? memoryOf(breaker);
  if (totals.reserved.tokens > 0) {
    world.violate('nothing stays reserved', `${totals.reserved.tokens} tokens are reserved`);
  }

  function finish(invariants: readonly Invariant[]): void {
    for (const { name, broken } of invariants) {
      const what = broken(world);
      if (what !== undefined) world.violate(name, what);
    }
  }
}

interface Totals {
  readonly spent: { readonly tokens: number };
  readonly reserved: { readonly tokens: number };
}

/** The books of a breaker's own store. */
function memoryOf(breaker: Scene['breaker']): Totals {
  const { memory } = breaker.snapshot().spend as unknown as {
    readonly memory: {
      readonly spent: { readonly tokens: number };
      readonly reservations: readonly (readonly [string, { readonly tokens: number }])[];
    };
  };
  const tokens = memory.reservations.reduce((sum, [, one]) => sum + one.tokens, 0);
  return { spent: memory.spent, reserved: { tokens } };
}

/** Listens to what a breaker tells. */
function watch({ breaker, world, troubles }: Scene): void {
  const byName: Map<string, Party> = new Map();
  const partyOf = (name: string): Party | undefined => {
    if (byName.size === 0) for (const one of world.parties) byName.set(one.name, one);
    return byName.get(name);
  };
  breaker.on('trip', ({ conversation, kind, reason }) => {
    world.trips++;
    world.note(`${conversation} is stopped: ${reason}`);
    const party = partyOf(conversation);
    if (party !== undefined && (kind === 'manual' || kind === 'limit')) party.stop = reason;
  });
  breaker.on('state', ({ from, to, conversation }) => {
    world.note(`${conversation}: ${from.status} to ${to.status}`);
    if (to.status === 'open' || to.status === 'stopped') world.openings++;
    if (from.status !== 'half-open' || to.status !== 'closed') return;
    const party = partyOf(conversation);
    world.books.release((call) => (call as { party: unknown }).party === party);
  });
  breaker.on('error', ({ error, during }) => {
    if (during === 'judge' && troubles.has('judge')) return;
    if (during === 'store' && troubles.has('store')) return;
    world.violate('nothing else is thrown', `during ${during}: ${String(error)}`);
  });
}
