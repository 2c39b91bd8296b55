import { Chat } from './chat.ts';
import { close } from './close.ts';
import { callFunctions } from './functions.ts';
import { planDeeds } from './operator.ts';
import { type Scene, setScene } from './scene.ts';
import { Party, type Violation } from './world.ts';

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
  /** Spoils the scene before it begins. */
  readonly spoil?: ((scene: Scene) => void) | undefined;
}

const TENANTS = 3;
const FUNCTIONS = ['look up', 'read'];

/** Plays the scene of a seed to its end, or to its first violation. */
export async function play(
  seed: number,
  { without = new Set(), alone, spoil }: Cut = {},
): Promise<Played> {
  const scene = setScene(seed, without);
  spoil?.(scene);
  const { world, isFree, troubles } = scene;
  const { scheduler, parties } = world;
  watch(scene);
  const names = Array.from({ length: scene.parties }, (_, i) => `chat ${i}`);
  const chats = names.map((name, i) => {
    const party = world.join(name, scene.declared);
    if (troubles.has('tenants')) party.tenant = `user ${i % TENANTS}`;
    return new Chat(scene, party);
  });
  planDeeds(scene);
  let living = 0;
  const live = (life: Promise<void>): void => {
    living++;
    life.then(
      () => void living--,
      (error) => world.violate('nothing else is thrown', String(error)),
    );
  };
  for (const [i, chat] of chats.entries()) {
    const name = names[i] as string;
    if (!without.has(name) && (alone ?? name) === name) live(chat.live());
  }
  if (troubles.has('functions') && alone === undefined) {
    for (const name of FUNCTIONS) live(callFunctions(scene, new Party(name, world.chance(name))));
  }
  await scheduler.run(() => world.check());
  const logs = new Map(parties.map(({ name, log }) => [name, [...log]]));
  if (!world.isBroken) await close(scene);
  if (!world.isBroken && living > 0) world.violate('nothing waits for ever', `${living} lives`);
  const parts = [...troubles, ...names];
  return { steps: scheduler.steps, violation: world.violation, logs, isFree, parts };
}

/** Listens to what a breaker tells. */
function watch({ breaker, world, troubles }: Scene): void {
  const byName: Map<string, Party> = new Map();
  const partyOf = (name: string): Party | undefined => {
    if (byName.size === 0) for (const one of world.parties) byName.set(one.name, one);
    // Conversations of tenants have ids that begin with them.
    return byName.get(name.slice(name.indexOf('/') + 1));
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
