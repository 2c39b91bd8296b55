import type { Cut, Played } from '../../packages/core/test/simulation/play.ts';
import { type Fleet, sizeOf, TROUBLES, USERS } from './fleet.ts';
import { heals, remains } from './invariants.ts';
import { Member } from './member.ts';
import { type FleetScene, setFleet } from './scene.ts';
import { planTroubles } from './troubles.ts';

const DURATION_MS = 30_000;
/** What becomes of the probes of the dead takes a while. */
const WITH_PROBES_MS = 50_000;
const AFTERMATH_MS = 60_000;

/** Plays a scene in which processes share one server, which users ask through one model object each. */
export async function playFleets(seed: number, { without = new Set() }: Cut = {}): Promise<Played> {
  const scene = setFleet(seed, without);
  const { fleet, members, tidy } = scene;
  const { world, scheduler, troubles } = fleet;
  const begin = (slot: number, isOdd: boolean): void => {
    members.push(beginMember(fleet, slot, isOdd));
  };
  const size = sizeOf(seed);
  for (let slot = 0; slot < size; slot++) begin(slot, slot === size - 1 && troubles.has('options'));
  planTroubles(fleet, (slot) => begin(slot, false));
  const durationMs = troubles.has('probes') ? WITH_PROBES_MS : DURATION_MS;
  scheduler.after(durationMs, () => end(scene));
  const isOver = (): boolean => world.check() || scheduler.time > durationMs + 3 * AFTERMATH_MS;
  await scheduler.run(isOver);
  tidy();
  return {
    steps: scheduler.steps,
    violation: world.violation,
    logs: new Map(),
    isFree: false,
    parts: TROUBLES.filter((one) => troubles.has(one)),
  };
}

/** Begins a process, whose users ask as long as it lives. */
function beginMember(fleet: Fleet, slot: number, isOdd: boolean): Member {
  const { world, troubles } = fleet;
  const member = new Member(fleet, slot, isOdd);
  const failed = (error: unknown): void =>
    world.violate('nothing else is thrown', `${member.name}: ${String(error)}`);
  const random = world.chance(`users of ${member.name}`);
  const next = (): void => {
    if (fleet.isOver) return;
    for (let calls = random.oneIn(6) ? USERS.length : 1; calls > 0; calls--) {
      member.ask(random.pick(USERS)).catch(failed);
    }
    member.machine.after(random.below(600), next);
  };
  member.machine.after(random.below(600), next);
  if (troubles.has('probes')) member.chat.live().catch(failed);
  return member;
}

/** Lets all that was begun come to its end, and checks what remains. */
function end({ fleet, members }: FleetScene): void {
  const { world, scheduler } = fleet;
  fleet.isOver = true;
  heals(fleet);
  const living = (): readonly Member[] => members.filter(({ isAlive }) => isAlive);
  scheduler.after(AFTERMATH_MS, () => {
    Promise.all(living().map((one) => one.flushed())).then(
      () => remains(fleet, living()),
      (error) => world.violate('nothing else is thrown', String(error)),
    );
  });
  scheduler.after(2 * AFTERMATH_MS, () => {
    for (const { store } of living()) store.close();
    if (!fleet.isChecked) world.violate('nothing waits for ever', 'the books of the server');
  });
}
