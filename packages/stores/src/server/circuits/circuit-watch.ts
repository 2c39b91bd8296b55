import type { Timers } from '@teamfuse/core/kit';
import type { Following, StoredChange } from '../../fleet/circuit-store.ts';
import type { Changes } from './circuit-server.ts';

/** What a {@link CircuitWatch} needs. */
export interface CircuitWatchParts {
  /** Reads what has changed since a number of changes. */
  readonly read: (since: number) => Promise<Changes>;
  readonly changed: (changes: readonly StoredChange[]) => void;
  readonly pollMs: number;
  readonly timers: Timers;
}

/** Tells one listener of changes: at once when it is woken, and otherwise from time to time. */
export class CircuitWatch implements Following {
  readonly known: Promise<void>;
  readonly #parts: CircuitWatchParts;
  /** The circuits that were told and are not closed. */
  readonly #open: Set<string> = new Set();
  #since = 0;
  #reading: Promise<void> | undefined;
  #isWoken = false;
  #isOver = false;
  #timer: unknown;

  constructor(parts: CircuitWatchParts) {
    this.#parts = parts;
    this.known = this.wake();
    this.#wait();
  }

  /** Reads what has changed. While it reads, it is done once more after that. */
  wake(): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    if (this.#reading !== undefined) {
      this.#isWoken = true;
      return this.#reading;
    }
    this.#isWoken = false;
    this.#reading = this.#read().finally(() => {
      this.#reading = undefined;
      if (this.#isWoken) this.wake().catch(ignore);
    });
    return this.#reading;
  }

  readonly end = (): void => {
    this.#isOver = true;
    this.#parts.timers.clear(this.#timer);
  };

  async #read(): Promise<void> {
    const { version, isAll, changes } = await this.#parts.read(this.#since);
    if (this.#isOver) return;
    this.#since = version;
    const told = new Set(changes.map(({ id }) => id));
    const forgotten = isAll ? [...this.#open].filter((id) => !told.has(id)) : [];
    const at = changes[0]?.at ?? 0;
    const closed = forgotten.map((id) => ({
      id,
      at,
      version,
      state: { status: 'closed' } as const,
    }));
    const all = [...changes, ...closed];
    for (const { id, state } of all) {
      if (state.status === 'closed') this.#open.delete(id);
      else this.#open.add(id);
    }
    if (all.length > 0) this.#parts.changed(all);
  }

  #wait(): void {
    const { timers, pollMs } = this.#parts;
    this.#timer = timers.set(() => {
      this.wake().catch(ignore);
      this.#wait();
    }, pollMs);
  }
}

/** The next time tries again. */
function ignore(): void {}
