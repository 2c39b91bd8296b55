import type { Scheduler } from '../../packages/core/test/simulation/scheduler.ts';
import type { SeededRandom } from '../../packages/testing/src/seeded-random.ts';
import type { Machine } from '../leases/machine.ts';

const MOST_MS = 20;
/** Four in so many messages fare badly. */
const ROUGH = 40;

/** The way of one process to the server: questions and answers take their time, and may be lost. */
export class Network {
  /** Whether messages are lost at times. */
  isRough: boolean;
  /** Whether nothing comes through. */
  isCut = false;
  readonly #scheduler: Scheduler;
  readonly #machine: Machine;
  readonly #random: SeededRandom;

  constructor(scheduler: Scheduler, machine: Machine, random: SeededRandom, isRough: boolean) {
    this.#scheduler = scheduler;
    this.#machine = machine;
    this.#random = random;
    this.isRough = isRough;
  }

  /** Has the server do something, whoever still waits for it then, and gives what it answers. */
  send<T>(work: () => T): Promise<T> {
    const fate = this.isRough ? this.#random.below(ROUGH) : ROUGH;
    const [there, back] = [this.#random.below(MOST_MS), this.#random.below(MOST_MS)];
    return new Promise((resolve, reject) => {
      const fail = (): void => reject(new Error('connection reset'));
      if (this.isCut || fate === 0) return this.#machine.after(there, fail);
      if (fate === 1) return;
      this.#scheduler.after(there, () => {
        const tell = answered(work, resolve, reject);
        if (fate !== 2) this.#machine.after(back, fate === 3 ? fail : tell);
      });
    });
  }
}

/** Does the work, and gives how it is told. */
function answered<T>(
  work: () => T,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): () => void {
  try {
    const value = work();
    return () => resolve(value);
  } catch (error) {
    return () => reject(error);
  }
}
