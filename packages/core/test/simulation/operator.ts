import { Breaker } from '../../src/index.ts';
import { WHOLE } from './books.ts';
import { conversationOf, type Scene, type Trouble, throttleOf } from './scene.ts';
import type { Party } from './world.ts';

/** What people and machines do to a breaker while conversations go on. */
type Deed = (scene: Scene, pick: (below: number) => number) => void;

const DEEDS: Partial<Readonly<Record<Trouble, Deed>>> = {
  stops: (scene, pick) => {
    const { breaker, world, parties, isNamed } = scene;
    const one = isNamed && pick(3) === 0 ? world.parties[pick(parties)] : undefined;
    world.note(`${one?.name ?? 'everything'} is stopped`);
    if (one === undefined) {
      breaker.stop('enough');
      world.stop = 'everything was stopped';
    } else {
      conversationOf(scene, one).stop('enough of this');
      one.stop = 'it was stopped';
    }
  },
  resets: (scene, pick) => {
    const { breaker, world, parties, isNamed } = scene;
    const one = isNamed && pick(2) === 0 ? world.parties[pick(parties)] : undefined;
    world.note(`${one?.name ?? 'everything'} is reset`);
    if (one === undefined) {
      world.stop = undefined;
      world.stopped.clear();
    }
    const reset = one === undefined ? world.parties : [one];
    for (const party of reset) party.beginAnew();
    world.books.release((call) => reset.includes((call as { party: never }).party));
    if (one === undefined) breaker.reset();
    else conversationOf(scene, one).reset();
  },
  jumps: ({ world }, pick) => {
    const ms = [50, 5_000, 100_000, 500_000][pick(4)] as number;
    const jump = pick(2) === 0 ? ms : -ms;
    world.note(`the clock jumps by ${jump} ms`);
    world.scheduler.jump(jump);
  },
  raises: ({ breaker, world, limits }, pick) => {
    const maxTokens = limits.get(WHOLE);
    if (maxTokens === undefined) return;
    const raised = maxTokens + pick(10_000);
    world.note(`the budget is raised to ${raised}`);
    limits.set(WHOLE, raised);
    breaker.raise({ maxTokens: raised });
  },
  throttle: ({ breaker, world }) => {
    const limits = throttleOf(world.chance(`throttle at ${world.scheduler.steps}`));
    const { maxRpm = 1_000_000, maxConcurrent = 1_000_000 } = limits;
    world.note(`the throttle lets ${maxRpm} begin and ${maxConcurrent} be under way`);
    world.throttle = { maxRpm, maxConcurrent };
    world.throttledSince = world.scheduler.passed();
    breaker.adjust({ throttle: world.throttle });
  },
  tenants: ({ breaker, world }, pick) => {
    const { tenant = '' } = world.parties[pick(world.parties.length)] as Party;
    const own = world.parties.filter((party) => party.tenant === tenant);
    const of = breaker.for({ user: tenant });
    if (pick(2) === 0) {
      world.note(`${tenant} is stopped`);
      of.stop('unpaid');
      world.stopped.add(tenant);
    } else {
      world.note(`${tenant} is reset`);
      world.stopped.delete(tenant);
      for (const party of own) party.beginAnew();
      world.books.release((call) => own.includes((call as { party: never }).party));
      of.reset();
    }
  },
  snapshots: ({ breaker, world, options }) => {
    const snapshot = JSON.parse(JSON.stringify(breaker.snapshot()));
    const copy = new Breaker(options);
    copy.on('error', ({ error }) => world.violate('a snapshot can be restored', String(error)));
    copy.restore(snapshot);
    const facts = ({ cost, counters }: Breaker): string => JSON.stringify([cost, counters]);
    const [before, after] = [facts(breaker), facts(copy)];
    if (before !== after) world.violate('a snapshot can be restored', `${after}, not ${before}`);
    const stopped = new Set(breaker.stopped.map(({ id }) => id));
    const late = copy.stopped.find(({ id }) => !stopped.has(id));
    // Of those that a snapshot has no room for, the circuits alone are known.
    const lost = [...stopped].find((id) => copy.conversation(id).trip === undefined);
    if (late !== undefined) world.violate('a snapshot can be restored', `${late.id} is stopped`);
    if (lost !== undefined) world.violate('a snapshot can be restored', `${lost} goes on`);
  },
};

const DURATION_MS = 30_000;
const MOST = 6;

/** Plans what is done and when: never at the very time at which something else happens. */
export function planDeeds(scene: Scene): void {
  const { world, troubles } = scene;
  const random = world.chance('operator');
  for (const [trouble, deed] of Object.entries(DEEDS)) {
    const own = world.chance(trouble);
    const times = random.below(MOST);
    if (!troubles.has(trouble as Trouble)) continue;
    for (let i = 0; i < times; i++) {
      world.scheduler.after(own.below(DURATION_MS) + 0.5, () => deed(scene, (n) => own.below(n)));
    }
  }
}
