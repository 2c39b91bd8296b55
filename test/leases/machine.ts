import type { Timers } from '../../packages/core/src/kit.ts';

/** The time that machines stand in. */
interface Time {
  readonly now: () => number;
  after(ms: number, happen: () => void): unknown;
}

/** A machine with one process: its clock is out and too fast or slow, and it may stand still or go down. */
export class Machine {
  readonly #world: Time;
  readonly #rate: number;
  readonly #offset: number;
  /** What has to wait until the process goes on. */
  #waiting: (() => void)[] = [];
  #state: 'runs' | 'stands still' | 'is down' = 'runs';

  /** Its clock passes `rate` milliseconds in each, and was `offset` ahead at first. */
  constructor(world: Time, rate = 1, offset = 0) {
    this.#world = world;
    this.#rate = rate;
    this.#offset = offset;
  }

  get isRunning(): boolean {
    return this.#state === 'runs';
  }

  get isDown(): boolean {
    return this.#state === 'is down';
  }

  readonly now = (): number => this.#offset + this.#rate * this.#world.now();

  readonly timers: Timers = {
    set: (ring, ms) => {
      const timer = { isSet: true };
      this.after(ms / this.#rate, () => {
        if (timer.isSet) ring();
      });
      return timer;
    },
    clear: (timer) => {
      if (timer !== undefined) (timer as { isSet: boolean }).isSet = false;
    },
  };

  /** Lets something happen in the process after a while, or as soon as it goes on after that. */
  after(ms: number, happen: () => void): void {
    this.#world.after(ms, () => {
      if (this.#state === 'runs') happen();
      else if (this.#state === 'stands still') this.#waiting.push(happen);
    });
  }

  standStill(ms: number): void {
    if (this.#state !== 'runs') return;
    this.#state = 'stands still';
    this.#world.after(ms, () => this.#goOn());
  }

  goDown(): void {
    this.#state = 'is down';
    this.#waiting = [];
  }

  #goOn(): void {
    if (this.#state !== 'stands still') return;
    this.#state = 'runs';
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const happen of waiting) happen();
  }
}
