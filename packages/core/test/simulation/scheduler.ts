import type { Timers } from '../../src/kit.ts';

/** Something that is to happen at a time. */
interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  isCleared: boolean;
}

/** Virtual time: what waits, and one task after another. Nothing happens but in a step. */
export class Scheduler {
  /** Milliseconds since the beginning. They never go back. */
  time = 0;
  #skew = 0;
  #leaps = 0;
  steps = 0;
  readonly #yields: number;
  readonly #tasks: Task[] = [];
  #order = 0;
  #waiting = 0;

  /** `yields` is how often in a row what is simulated lets other work go first. */
  constructor(yields = 1) {
    this.#yields = yields;
  }

  /** The clock on the wall. */
  readonly now = (): number => Math.floor(this.time + this.#skew);

  /** The most that can be seen to have passed on that clock: it counts no step back. */
  readonly passed = (): number => this.time + this.#leaps;

  /** Timers as an engine gets them. */
  readonly timers: Timers = {
    set: (ring, ms) => this.after(ms, ring),
    clear: (task) => this.clear(task as Task),
  };

  /** How many tasks wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** The clock on the wall jumps. */
  jump(ms: number): void {
    this.#skew = Math.max(-this.time, this.#skew + ms);
    this.#leaps += Math.max(0, ms);
  }

  after(ms: number, run: () => void): Task {
    const task = { at: this.time + ms, order: this.#order++, run, isCleared: false };
    this.#waiting++;
    this.#add(task);
    return task;
  }

  clear(task: Task): void {
    if (task.isCleared) return;
    task.isCleared = true;
    this.#waiting--;
  }

  /** Resolves `ms` from now. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.after(ms, resolve);
    });
  }

  /** Does one task after another, and what comes of each, until none is left or `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    for (let task = this.#take(); task !== undefined; task = this.#take()) {
      if (task.isCleared) continue;
      this.clear(task);
      this.time = Math.max(this.time, task.at);
      await this.step(task.run);
      if (isOver()) return;
    }
  }

  /** Does this now, and all that comes of it without any time. */
  async step(run: () => void): Promise<void> {
    this.steps++;
    run();
    for (let i = 0; i < this.#yields; i++) await settled();
  }

  #add(task: Task): void {
    const tasks = this.#tasks;
    let at = tasks.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = tasks[above] as Task;
      if (isBefore(parent, task)) break;
      tasks[at] = parent;
      at = above;
    }
    tasks[at] = task;
  }

  #take(): Task | undefined {
    const tasks = this.#tasks;
    const first = tasks[0];
    const last = tasks.pop();
    if (last === undefined || tasks.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      const [left, right] = [tasks[below], tasks[below + 1]];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) below++;
      const child = tasks[below] as Task;
      if (isBefore(last, child)) break;
      tasks[at] = child;
      at = below;
    }
    tasks[at] = last;
    return first;
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

/** Resolves once all that waits for settled promises has gone on. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
