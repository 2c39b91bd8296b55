import type { Timers } from '@teamfuse/core/kit';
import { type OptionTable, readOptions, type WithDefaults } from '@teamfuse/core/options';
import type { CommonOptions } from '../agreement.ts';

/** Options of stores whose books a server keeps. Processes that share a budget have the same, up to `failMode`. */
export interface ServerStoreOptions {
  /**
   * The name of the budget on the server.
   * @defaultValue 'main'
   */
  readonly budget?: string;
  /** Milliseconds after which spend is forgotten. @defaultValue never */
  readonly windowMs?: number;
  /**
   * Milliseconds that a reservation lasts after the last heart-beat of its process: so much later, what a dead process held is
   * free again.
   * @defaultValue 60_000
   */
  readonly reservationMs?: number;
  /**
   * Milliseconds for which the heart-beats keep the reservation of a call alive that is never settled.
   * @defaultValue 3_600_000
   */
  readonly callMs?: number;
  /**
   * Milliseconds for which the server knows that an id was settled, so that a settlement that is sent again is not booked again.
   * @defaultValue 3_600_000
   */
  readonly settledMs?: number;
  /**
   * What happens to the part of a call's spend beyond its reservation. `refuse-next` books it: spend may exceed the limit by it,
   * and calls are refused until there is room again. `overdraft` books it apart, where no limit counts it. `cap` does not book it:
   * a call never costs more than its reservation. A call without a reservation, or whose reservation has expired, is booked in full.
   * @defaultValue 'refuse-next'
   */
  readonly excess?: 'refuse-next' | 'overdraft' | 'cap';
  /**
   * What becomes of calls while the server cannot be asked. `closed` refuses them. `local` admits them up to `localShare`. `open`
   * admits them all. What they spend is booked when the server is back.
   * @defaultValue 'closed'
   */
  readonly failMode?: 'local' | 'open' | 'closed';
  /**
   * With `failMode: 'local'`: the part of what was left at the last answer that this process may spend by itself. Of 20 processes,
   * 0.05 each never spend more than there was.
   * @defaultValue 0.05
   */
  readonly localShare?: number;
  /**
   * Milliseconds to wait for an answer.
   * @defaultValue 300
   */
  readonly timeoutMs?: number;
  /**
   * How often a question is sent until the server counts as lost.
   * @defaultValue 3
   */
  readonly attempts?: number;
  /** A file that keeps settlements the server has not confirmed, for the next start. @defaultValue only memory */
  readonly journalFile?: string;
  /**
   * Whether the process holds a slice of the budget ahead of its calls, and admits them from it without asking the server. All
   * processes of a budget may decide for themselves.
   * @defaultValue false
   */
  readonly lease?: boolean;
  /** Called with the error when the server is lost, when it has lost the books, when `journalFile` or a settlement could not be kept, and when options differ. */
  readonly onError?: (error: unknown) => void;
  /** The timers, such as those of a `FakeClock`. @defaultValue those of the machine, which keep no process alive */
  readonly timers?: Timers;
  /**
   * The clock of this process, in milliseconds, by which it stops admitting calls from a lease. It need not agree with the
   * server's, but must not run slower by more than a tenth, or be set back.
   * @defaultValue one that is never set back, and goes on while the machine sleeps
   */
  readonly now?: () => number;
}

type WithoutDefault = 'windowMs' | 'journalFile' | 'onError' | 'timers' | 'now';

/** Options with their defaults. */
export type ReadServerStoreOptions = WithDefaults<ServerStoreOptions, WithoutDefault>;

const OPTIONS: OptionTable<ServerStoreOptions, WithoutDefault> = {
  budget: { type: 'text', default: 'main' },
  windowMs: { type: 'integer', min: 1 },
  reservationMs: { type: 'integer', min: 100, max: 2 ** 31 - 1, default: 60_000 },
  callMs: { type: 'integer', min: 1, default: 3_600_000 },
  settledMs: { type: 'integer', min: 60_000, default: 3_600_000 },
  excess: { type: 'choice', values: ['refuse-next', 'overdraft', 'cap'], default: 'refuse-next' },
  failMode: { type: 'choice', values: ['local', 'open', 'closed'], default: 'closed' },
  localShare: { type: 'number', min: 0, max: 1, default: 0.05 },
  timeoutMs: { type: 'integer', min: 1, max: 10_000, default: 300 },
  attempts: { type: 'integer', min: 1, max: 10, default: 3 },
  journalFile: { type: 'text' },
  lease: { type: 'flag', default: false },
  onError: { type: 'code' },
  timers: { type: 'code' },
  now: { type: 'code' },
};

/** Checks options and fills in the defaults. @throws {@link InvalidOptionError} */
export function readServerStoreOptions(options: ServerStoreOptions): ReadServerStoreOptions {
  return readOptions<ServerStoreOptions, WithoutDefault>('', options, OPTIONS);
}

/** The options that decide what is booked, and for how long: all processes need the same. */
export function commonOptionsOf(options: ReadServerStoreOptions): CommonOptions {
  const { windowMs, settledMs, excess } = options;
  return { windowMs: String(windowMs ?? 'none'), settledMs: String(settledMs), excess };
}
