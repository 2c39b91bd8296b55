import { SharedState } from '../../packages/adapter-kit/src/context/shared-state.ts';
import { BoundedMap } from '../../packages/core/src/common/bounded-map.ts';
import { every } from '../../packages/core/test/simulation/plant.ts';
import { Agreement } from '../../packages/stores/src/agreement.ts';
import { FleetCircuits } from '../../packages/stores/src/fleet/fleet-circuits.ts';
import { ProbeBeats } from '../../packages/stores/src/fleet/probe-beats.ts';
import { StoreAnswers } from '../../packages/stores/src/fleet/store-answers.ts';
import { LockFile } from '../../packages/stores/src/lock/lock-file.ts';
import { PostgresBudgetServer } from '../../packages/stores/src/postgres/postgres-budget-server.ts';
import { RedisBudgetServer } from '../../packages/stores/src/redis/redis-budget-server.ts';
import { Journal } from '../../packages/stores/src/server/journal.ts';
import { JournalFile } from '../../packages/stores/src/server/journal-file.ts';
import { Line } from '../../packages/stores/src/server/line.ts';
import { LocalShare } from '../../packages/stores/src/server/local-share.ts';
import { Pulse } from '../../packages/stores/src/server/pulse.ts';
import { ServerBudgetStore } from '../../packages/stores/src/server/server-budget-store.ts';
import { Upstream } from '../../packages/stores/src/server/upstream.ts';
import { AGREED, BOOKED, BUDGET, HELD, TOLD, UNHELD } from './invariants.ts';

/** A fault that is planted into what fleets share, and what it breaks. */
export interface FleetFault {
  readonly breaks: string | readonly string[];
  /** The first scene in which it is looked for: a short one that shows it. */
  readonly from: number;
  readonly plant: () => () => void;
  /** Whether only a full disk shows it. */
  readonly needsDisk?: boolean;
}

const OPEN = 'an open circuit lets one probe through';
const DEAD = 'the probe of the dead is given to others';
const ALONE = 'nobody pays or is stopped for another';
const THROWN = 'nothing else is thrown';
const NOTHING = { nanoUsd: 0, tokens: 0 };
let ids = 0;

export const FLEET_FAULTS: Readonly<Record<string, FleetFault>> = {
  'a settlement that is not kept while the server is away': {
    breaks: BOOKED,
    from: 8,
    plant: every(Upstream, 'keep', 1, () => undefined),
  },
  'a settlement that is dropped from the journal': {
    breaks: BOOKED,
    from: 7,
    plant: every(Journal, 'add', 2, () => undefined),
  },
  'a settlement that counts as sent before it is': {
    breaks: BOOKED,
    from: 7,
    plant: every(Journal, 'send', 1, (send) => send(async () => undefined)),
  },
  'a journal that the next process does not read': {
    breaks: BOOKED,
    from: 8,
    plant: every(JournalFile, 'read', 1, () => []),
  },
  'a journal that is never written': {
    breaks: [BOOKED, TOLD],
    from: 15,
    plant: every(JournalFile, 'update', 1, () => undefined),
  },
  'a full disk that is not told': {
    breaks: TOLD,
    from: 15,
    needsDisk: true,
    plant: every(JournalFile, 'update', 1, (update, lines) => {
      try {
        update(...(lines as unknown as Parameters<typeof update>));
      } catch {
        // Nobody hears of it.
      }
    }),
  },
  'a lock that a full disk cannot hold and nobody gives back': {
    breaks: [BOOKED, TOLD],
    from: 1,
    plant: every(LockFile, 'release', 3, () => undefined),
  },
  'a settlement that is booked again as another': {
    breaks: BOOKED,
    from: 1,
    plant: every(RedisBudgetServer, 'settle', 9, async (settle, [booking]) => {
      await settle(booking);
      return settle({ ...booking, id: `again ${ids++}` });
    }),
  },
  'a settlement on PostgreSQL that has another id each time it is sent': {
    breaks: [BOOKED, UNHELD],
    from: 6,
    plant: every(PostgresBudgetServer, 'settle', 1, (settle, [booking]) =>
      settle({ ...booking, id: `sent ${ids++}` }),
    ),
  },
  'a settlement that books nothing': {
    breaks: BOOKED,
    from: 2,
    plant: every(PostgresBudgetServer, 'settle', 5, (settle, [booking]) =>
      settle({ ...booking, actual: NOTHING }),
    ),
  },
  'a settlement that books no purses': {
    breaks: BOOKED,
    from: 14,
    plant: every(RedisBudgetServer, 'settle', 5, (settle, [booking]) =>
      settle({ ...booking, purses: [] }),
    ),
  },
  'a reservation without limits': {
    breaks: BUDGET,
    from: 5,
    plant: every(PostgresBudgetServer, 'reserve', 3, (reserve, [id, amount, , purses]) =>
      reserve(
        id,
        amount,
        {},
        purses.map(({ name }) => ({ name })),
      ),
    ),
  },
  'a share of its own that has no end': {
    breaks: BUDGET,
    from: 17,
    plant: every(LocalShare, 'reserve', 1, () => true),
  },
  'calls that no heart-beat keeps': {
    breaks: HELD,
    from: 2,
    plant: every(Pulse, 'hold', 1, () => undefined),
  },
  'a server that counts as lost at the first failure': {
    breaks: [THROWN, ALONE],
    from: 1,
    plant: every(Line, 'ask', 40, () => Promise.reject(new Error('it was not asked'))),
  },
  'books that were lost and are not booked again': {
    breaks: BOOKED,
    from: 3,
    plant: every(BoundedMap, 'entries', 1, () => []),
  },
  'options that are not compared': {
    breaks: AGREED,
    from: 5,
    plant: every(Agreement, 'seek', 1, () => undefined),
  },
  'a run for a user that is taken for nobody': {
    breaks: BOOKED,
    from: 2,
    plant: every(SharedState, 'enterFor', 7, (_, [, work]) => work()),
  },
  'a run for a user that another pays for': {
    breaks: BOOKED,
    from: 16,
    plant: (() => {
      let before: unknown;
      return every(SharedState, 'enterFor', 2, (enterFor, [tenant, work]) => {
        const other = (before ?? tenant) as typeof tenant;
        before = tenant;
        return enterFor(other, work);
      });
    })(),
  },
  'a probe that nobody says goes on': {
    breaks: OPEN,
    from: 2,
    plant: every(ProbeBeats, 'hold', 1, () => undefined),
  },
  'a probe of the dead that lasts for a quarter of an hour': {
    breaks: DEAD,
    from: 8,
    plant: every(StoreAnswers, 'apply', 1, (apply, [key, event]) => {
      if (event.type !== 'probe') return apply(key, event);
      const { lastsMs: _, ...lasting } = event;
      return apply(key, lasting as typeof event);
    }),
  },
  'a circuit that each process keeps for itself': {
    breaks: OPEN,
    from: 2,
    plant: every(FleetCircuits, 'isShared', 1, () => false),
  },
  'a probe that is not asked for': {
    breaks: OPEN,
    from: 2,
    plant: every(FleetCircuits, 'askProbe', 2, () => undefined),
  },
  'settlements that wait for ever': {
    breaks: [THROWN, UNHELD, BOOKED],
    from: 1,
    plant: every(ServerBudgetStore, 'settle', 50, () => new Promise(() => {})),
  },
};
