import type { Invariant } from '../../packages/core/test/simulation/world.ts';
import { type Fleet, type FleetMember, USERS } from './fleet.ts';
import { LOCAL_SHARE, type Member, POVERTY } from './member.ts';

export const BOOKED = 'what was served is booked, once';
export const UNHELD = 'nothing stays reserved';
export const BUDGET = 'a budget holds for all calls together';
export const HELD = 'a call that goes on keeps what it holds';
export const TOLD = 'what is lost is told, once';
export const AGREED = 'options that differ are told, and no others';

/** Has to hold after every step. */
export const EACH_STEP: readonly ((fleetOf: () => Fleet) => Invariant)[] = [
  (fleetOf) => ({ name: BUDGET, broken: () => beyond(fleetOf()) }),
  (fleetOf) => ({
    name: HELD,
    broken: () => {
      const { troubles, failMode, server } = fleetOf();
      if (troubles.has('deaths') || troubles.has('evictions') || failMode === 'local') return;
      const { tokens } = server.books.late();
      return tokens > 0 ? `${tokens} tokens were booked for calls that held nothing` : undefined;
    },
  }),
];

/** Whatever goes wrong is over. */
export function heals(fleet: Fleet): void {
  if (fleet.isFull) fleet.disk?.free();
  fleet.isFull = false;
  for (const { network, chat } of fleet.members) {
    network.isRough = false;
    for (const one of [network, chat.link.network]) one.isCut = false;
  }
}

/** Checks the books once nothing is under way any more, and what the living were told. */
export function remains(fleet: Fleet, living: readonly Member[]): void {
  const { world, server, members, troubles } = fleet;
  fleet.isChecked = true;
  const { reserved } = server.books.totals();
  if (reserved.tokens > 0) world.violate(UNHELD, `${reserved.tokens} tokens`);
  const waiting = living.find(({ calls }) => calls > 0);
  if (waiting) world.violate('nothing waits for ever', `${waiting.calls} of ${waiting.name}`);
  for (const user of USERS) {
    const purse = `user:${user}`;
    const spent = server.books.totals([purse]).purses?.[0]?.spent.tokens ?? 0;
    const of = (kind: 'served' | 'certain', all: readonly FleetMember[]): number =>
      all.reduce((sum, { receipts }) => sum + (receipts[kind].get(purse) ?? 0), 0);
    const most = of('served', members);
    const dead = members.filter((one) => !one.isAlive);
    const least = of('served', living) + of('certain', dead);
    const isLossy = troubles.has('evictions');
    const isRight = isLossy || (spent >= least && spent <= most);
    if (!isRight) world.violate(BOOKED, `${user}: ${spent} of ${least} to ${most} tokens`);
  }
  if (troubles.has('evictions')) checkLosses(fleet, living);
  for (const one of living) checkTold(fleet, one);
  // Of two, the one that asks later is told, unless it was killed.
  const isTold = living.some(({ told }) => told.includes('DIFFERENT_OPTIONS'));
  const isSure = !troubles.has('deaths');
  if (troubles.has('options') && isSure && !isTold) {
    world.violate(AGREED, 'nobody was told');
  }
}

/** After the books were lost, each process has booked again what it knew of them. */
function checkLosses({ world, server, members }: Fleet, living: readonly Member[]): void {
  const { spent } = server.books.totals();
  const known = Math.max(...living.map(({ receipts }) => receipts.knownAtLoss));
  if (spent.tokens < known) world.violate(BOOKED, `${spent.tokens} of ${known} known tokens`);
  let most = 0;
  for (const { receipts } of members) {
    most += receipts.sentAtLoss;
    for (const tokens of receipts.served.values()) most += tokens;
  }
  if (spent.tokens > most) world.violate(BOOKED, `${spent.tokens} of ${most} tokens at most`);
}

function checkTold({ world, server, troubles }: Fleet, member: Member): void {
  const { told, begunIn, receipts, name } = member;
  const count = (code: string): number => told.filter((one) => one === code).length;
  const check = (code: string, least: number, most: number): void => {
    const times = count(code);
    if (times >= least && times <= most) return;
    world.violate(code === 'DIFFERENT_OPTIONS' ? AGREED : TOLD, `${name}: ${times} times ${code}`);
  };
  const losses = server.epoch - begunIn;
  check('LOST_BOOKS', losses > 0 && receipts.knownAtLoss > 0 ? 1 : 0, losses);
  check('UNREACHABLE_SERVER', 0, member.mayLose ? told.length : 0);
  check('UNWRITTEN_JOURNAL', 0, troubles.has('disks') ? told.length : 0);
  check('DIFFERENT_OPTIONS', 0, troubles.has('options') ? 1 : 0);
}

function beyond(fleet: Fleet): string | undefined {
  const { server, troubles, maxTokens, failMode, members } = fleet;
  if (troubles.has('evictions')) return undefined;
  const names = troubles.has('poverty') ? ['user:ann'] : [];
  const totals = server.books.totals(names);
  const share = failMode === 'local' ? LOCAL_SHARE * members.length : 0;
  for (const [i, limit] of [maxTokens, names.length > 0 ? POVERTY : undefined].entries()) {
    const books = i === 0 ? totals : totals.purses?.[0];
    if (limit === undefined || books === undefined) continue;
    const used = books.spent.tokens + books.reserved.tokens;
    const most = limit * (1 + share) + server.books.late(i === 0 ? '' : names[0]).tokens;
    if (used > most) return `${used} of ${limit} tokens of ${i === 0 ? 'the budget' : 'ann'}`;
  }
  return undefined;
}
