import type { Scheduler } from '../../packages/core/test/simulation/scheduler.ts';
import { chanceOf, type World } from '../../packages/core/test/simulation/world.ts';
import type { Machine } from '../leases/machine.ts';
import type { SmallDisk } from '../servers/full-disk.ts';
import type { Network } from './network.ts';
import type { SimulatedServer } from './server.ts';

/** What may go wrong with a fleet; what is left out leaves the rest as it is. */
export const TROUBLES = [
  'deaths',
  'evictions',
  'scripts',
  'isolation',
  'losses',
  'cuts',
  'disks',
  'options',
  'probes',
  'poverty',
  'budget',
] as const;
export type Trouble = (typeof TROUBLES)[number];

/** Users of a shared agent. The first has little money where there is poverty. */
export const USERS = ['ann', 'bob', 'eve', 'joe'] as const;
export type User = (typeof USERS)[number];

/** A process, as the others and the world see it. */
export interface FleetMember {
  readonly name: string;
  readonly slot: number;
  readonly machine: Machine;
  readonly network: Network;
  readonly isAlive: boolean;
  readonly chat: {
    readonly isProbing: boolean;
    readonly probedAt: number;
    readonly link: { readonly network: Network };
    died(): void;
  };
  readonly receipts: {
    readonly served: ReadonlyMap<string, number>;
    readonly certain: ReadonlyMap<string, number>;
    readonly sentAtLoss: number;
    atLoss(): void;
  };
}

/** A fleet, as its seed has made it. */
export interface Fleet {
  readonly world: World;
  readonly scheduler: Scheduler;
  readonly server: SimulatedServer;
  readonly troubles: ReadonlySet<Trouble>;
  readonly isRedis: boolean;
  readonly failMode: 'closed' | 'local';
  /** Most tokens that all may take together. */
  readonly maxTokens: number | undefined;
  /** All that there were, the latest last. */
  readonly members: readonly FleetMember[];
  readonly disk: SmallDisk | undefined;
  /** Whether the disk is full, and how often it was. */
  isFull: boolean;
  fills: number;
  isOver: boolean;
  /** Whether the books were compared at the end. */
  isChecked: boolean;
}

/** So many processes run at a time. */
export function sizeOf(seed: number): number {
  return 2 + chanceOf(seed, 'size').below(3);
}

/** What goes wrong under a seed. What was lost cannot be told exactly where other things get lost, too. */
export function troublesOf(
  seed: number,
  isRedis: boolean,
  hasDisk: boolean,
  without: ReadonlySet<string>,
): ReadonlySet<Trouble> {
  const drawn = TROUBLES.filter((one) => chanceOf(seed, one).oneIn(2) && !without.has(one));
  const troubles = new Set(drawn);
  troubles.delete(isRedis ? 'isolation' : 'scripts');
  if (!isRedis) troubles.delete('evictions');
  // Who is undone waits so long for answers that one which is lost costs more than a heart-beat.
  if (troubles.has('isolation')) troubles.delete('losses');
  if (!hasDisk) troubles.delete('disks');
  if (troubles.has('evictions'))
    for (const one of ['deaths', 'disks'] as const) troubles.delete(one);
  return troubles;
}
