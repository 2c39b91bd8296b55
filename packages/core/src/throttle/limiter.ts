import type { ThrottleLimits } from './throttle-options.ts';

const MINUTE_MS = 60_000;

/** Calls that are counted together: all, or those of a user, a team, a key or a model. */
export class Limiter {
  limits: ThrottleLimits;
  #underWay = 0;
  /** Calls that have a slot and are not admitted yet: they may still wait for money. */
  #pending = 0;
  /** The calls that were admitted within the last minute, the oldest first. */
  readonly #begun: number[] = [];

  constructor(limits: ThrottleLimits) {
    this.limits = limits;
  }

  /** How many calls of the last minute are remembered. */
  get size(): number {
    return this.#begun.length;
  }

  isFull(now: number): boolean {
    const { maxConcurrent, maxRpm } = this.limits;
    if (maxConcurrent !== undefined && this.#underWay >= maxConcurrent) return true;
    return maxRpm !== undefined && this.#begunBy(now).length + this.#pending >= maxRpm;
  }

  /** Whether nothing is left of it to remember. */
  isIdle(now: number): boolean {
    return this.#underWay === 0 && this.#begunBy(now).length === 0;
  }

  /** When a minute has made room for another call; never, if it is not the rate that leaves none. */
  freeAt(now: number): number {
    const { maxRpm = Number.POSITIVE_INFINITY } = this.limits;
    const begun = this.#begunBy(now);
    const last = begun[begun.length + this.#pending - maxRpm];
    return last === undefined ? Number.POSITIVE_INFINITY : last + MINUTE_MS;
  }

  take(): void {
    this.#underWay++;
    this.#pending++;
  }

  /** A call with a slot is admitted. */
  begin(at: number): void {
    this.#pending--;
    this.#begunBy(at).push(at);
  }

  /** A call with a slot is not made after all. */
  cancel(): void {
    this.#pending--;
    this.#underWay--;
  }

  /** A call that was admitted has ended. */
  end(): void {
    this.#underWay--;
  }

  #begunBy(now: number): number[] {
    let old = 0;
    while (old < this.#begun.length && (this.#begun[old] as number) <= now - MINUTE_MS) old++;
    if (old > 0) this.#begun.splice(0, old);
    return this.#begun;
  }
}
