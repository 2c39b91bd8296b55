import type { Fleet, FleetMember, Trouble } from './fleet.ts';

const DURATION_MS = 28_000;
const MOST = 3;
/** Shorter than what calls hold, and than a probe, lasts without a heart-beat. */
const CUT_MS = 3_000;
/** Between two of them, heart-beats come through. */
const REST_MS = 12_000;
const cutAt: WeakMap<FleetMember, number> = new WeakMap();
const FULL_MS = 6_000;

type Deed = (fleet: Fleet, pick: (below: number) => number, begin: (slot: number) => void) => void;

const DEEDS: Partial<Readonly<Record<Trouble, Deed>>> = {
  deaths: (fleet, pick, begin) => {
    const probing = fleet.members.find(({ chat, isAlive }) => chat.isProbing && isAlive);
    const member = pick(2) === 0 ? (probing ?? living(fleet, pick)) : living(fleet, pick);
    // What it cannot tell the server any more is for the next process.
    const isCut = pick(2) === 0;
    if (isCut) member.network.isCut = true;
    const later = 100 + pick(3_000);
    const kill = (): void => {
      if (fleet.isOver || !member.isAlive) return;
      fleet.world.note(`${member.name} is killed`);
      member.machine.goDown();
      member.chat.died();
      fleet.scheduler.after(later, () => begin(member.slot));
    };
    if (isCut) fleet.scheduler.after(500 + pick(2_000), kill);
    else kill();
  },
  evictions: ({ world, server, members }) => {
    const { spent } = server.books.totals();
    world.note(`the server loses the books of ${spent.tokens} tokens`);
    for (const { receipts } of members) receipts.atLoss();
    server.evict();
  },
  scripts: ({ world, server }) => {
    world.note('the server forgets its scripts');
    server.scripts.clear();
  },
  cuts: (fleet, pick) => {
    const member = living(fleet, pick);
    const now = fleet.scheduler.time;
    if (now - (cutAt.get(member) ?? -REST_MS) < REST_MS) return;
    cutAt.set(member, now);
    const networks = [member.network, member.chat.link.network];
    fleet.world.note(`${member.name} is cut off`);
    for (const one of networks) one.isCut = true;
    fleet.scheduler.after(pick(CUT_MS), () => {
      for (const one of networks) one.isCut = false;
    });
  },
  disks: (fleet, pick) => {
    if (fleet.isFull || fleet.isOver) return;
    fleet.world.note('the disk is full');
    fleet.disk?.fill();
    fleet.isFull = true;
    fleet.fills++;
    fleet.scheduler.after(pick(FULL_MS), () => {
      if (!fleet.isFull) return;
      fleet.disk?.free();
      fleet.isFull = false;
    });
  },
};

/** Plans what goes wrong and when. Processes that were killed begin again. */
export function planTroubles(fleet: Fleet, begin: (slot: number) => void): void {
  const { world, scheduler, troubles } = fleet;
  for (const [trouble, deed] of Object.entries(DEEDS)) {
    if (!troubles.has(trouble as Trouble)) continue;
    const random = world.chance(trouble);
    for (let times = 1 + random.below(MOST); times > 0; times--) {
      const run = (): void => {
        if (!fleet.isOver) deed(fleet, (below) => random.below(below), begin);
      };
      scheduler.after(1_000 + random.below(DURATION_MS - 1_000) + 0.5, run);
    }
  }
}

function living({ members }: Fleet, pick: (below: number) => number): FleetMember {
  const all = members.filter(({ isAlive }) => isAlive);
  return all[pick(all.length)] as FleetMember;
}
