import { mkdirSync, rmSync } from 'node:fs';
import { Books } from '../../packages/core/test/simulation/books.ts';
import { Scheduler } from '../../packages/core/test/simulation/scheduler.ts';
import { chanceOf, World } from '../../packages/core/test/simulation/world.ts';
import { HAS_DISKS, type SmallDisk, smallDisk } from '../servers/full-disk.ts';
import { type Fleet, troublesOf } from './fleet.ts';
import { EACH_STEP } from './invariants.ts';
import type { Member } from './member.ts';
import { SimulatedServer } from './server.ts';

/** A scene as its seed has made it, and how what it has written is removed. */
export interface FleetScene {
  readonly fleet: Fleet;
  readonly members: Member[];
  readonly tidy: () => void;
}

/** What is done without any time waits for others so often in a row. */
const YIELDS = 2;

let mounted: SmallDisk | undefined;

/** Sets a scene by its seed, without these troubles. */
export function setFleet(seed: number, without: ReadonlySet<string>): FleetScene {
  const scheduler = new Scheduler(YIELDS);
  const disk = diskOf();
  const folder = disk && `${disk.folder}/${seed}`;
  if (folder !== undefined) mkdirSync(folder);
  const isRedis = chanceOf(seed, 'server').oneIn(2);
  const troubles = troublesOf(seed, isRedis, disk !== undefined, without);
  const random = chanceOf(seed, 'fleet');
  const maxTokens = 300 + random.below(3_000);
  const members: Member[] = [];
  const books = new Books(new Map(), scheduler.passed, Number.POSITIVE_INFINITY);
  const invariants = EACH_STEP.map((one) => one(() => fleet));
  const fleet: Fleet = {
    world: new World(seed, scheduler, books, invariants),
    scheduler,
    server: new SimulatedServer(scheduler.now),
    troubles,
    isRedis,
    failMode: random.oneIn(3) ? 'local' : 'closed',
    maxTokens: troubles.has('budget') ? maxTokens : undefined,
    members,
    disk,
    isFull: false,
    fills: 0,
    isOver: false,
    isChecked: false,
  };
  const tidy = (): void => {
    if (fleet.isFull) disk?.free();
    if (folder !== undefined) rmSync(folder, { recursive: true });
  };
  return { fleet, members, tidy };
}

/** Unmounts the disk of all scenes, if there is one. A worker of a test run ends without telling, and calls this itself. */
export function removeDisk(): void {
  mounted?.remove();
  mounted = undefined;
}

/** One small disk for all scenes, which ends with the process. */
function diskOf(): SmallDisk | undefined {
  if (!HAS_DISKS) return undefined;
  if (mounted === undefined) {
    mounted = smallDisk();
    process.once('exit', removeDisk);
  }
  return mounted;
}
