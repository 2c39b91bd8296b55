import { checkNames, integer, type OptionNames } from '../options.ts';

/** When calls count as a loop. */
export interface LoopOptions {
  /**
   * How many of the latest calls are looked at.
   * @defaultValue 32
   */
  readonly windowSize?: number;
  /**
   * The shortest cycle that counts, in calls.
   * @defaultValue 1
   */
  readonly minCycleLen?: number;
  /**
   * The longest cycle that counts, in calls.
   * @defaultValue 8
   */
  readonly maxCycleLen?: number;
  /**
   * The round of a cycle that is refused: with 3, two rounds run, and the last call of the third is refused.
   * @defaultValue 3
   */
  readonly repeats?: number;
}

/** A loop that the next call would complete. */
export interface Loop {
  /** The signatures of one round. */
  readonly cycle: readonly string[];
  /** How many rounds it has with the next call. */
  readonly rounds: number;
}

const NAMES: OptionNames<LoopOptions> = {
  windowSize: true,
  minCycleLen: true,
  maxCycleLen: true,
  repeats: true,
};

/** The latest calls with their outcomes. Two calls are the same if signature and outcome are. */
export class LoopWindow {
  readonly #windowSize: number;
  readonly #minCycleLen: number;
  readonly #maxCycleLen: number;
  readonly #repeats: number;
  #calls: { readonly signature: string; readonly outcome: string }[] = [];

  /** @throws {@link InvalidOptionError} */
  constructor(options: LoopOptions = {}) {
    checkNames('loop', options, NAMES);
    const { windowSize = 32, minCycleLen = 1, maxCycleLen = 8, repeats = 3 } = options;
    this.#repeats = integer('loop.repeats', repeats, 2);
    this.#minCycleLen = integer('loop.minCycleLen', minCycleLen, 1);
    this.#maxCycleLen = integer('loop.maxCycleLen', maxCycleLen, minCycleLen);
    this.#windowSize = integer('loop.windowSize', windowSize, repeats * minCycleLen);
  }

  /** The loop that a call with this signature would complete. */
  completedBy(signature: string): Loop | undefined {
    const most = Math.min(this.#maxCycleLen, Math.floor(this.#windowSize / this.#repeats));
    for (let length = this.#minCycleLen; length <= most; length++) {
      if (!this.#isLoop(signature, length)) continue;
      const cycle = this.#calls.slice(1 - length, length === 1 ? 0 : undefined);
      return { cycle: [...cycle.map((call) => call.signature), signature], rounds: this.#repeats };
    }
    return undefined;
  }

  /** Adds a call that was made. */
  add(signature: string, outcome: string): void {
    this.#calls.push({ signature, outcome });
    if (this.#calls.length > this.#windowSize) this.#calls.shift();
  }

  /** Forgets all calls. */
  clear(): void {
    this.#calls = [];
  }

  /** Whether the latest calls and the next one make up so many rounds of a cycle of this length. */
  #isLoop(signature: string, length: number): boolean {
    const calls = this.#calls;
    const needed = this.#repeats * length - 1;
    if (calls.length < needed) return false;
    if (calls[calls.length - length]?.signature !== signature) return false;
    // All earlier places of the cycle have to be equal, outcomes included.
    for (let back = 1; back <= needed - length; back++) {
      const call = calls[calls.length - back];
      const before = calls[calls.length - back - length];
      if (call?.signature !== before?.signature || call?.outcome !== before?.outcome) return false;
    }
    return true;
  }
}
