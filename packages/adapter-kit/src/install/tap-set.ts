import type { Breaker } from '@teamfuse/core';
import { GuardInstallError, internalsOf } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { replaceMember } from './replace-member.ts';

/** A step through a tap, by which the self-test tries to get past it after a trip. */
export type Attempt = () => Promise<unknown>;

/** A tap: a replaced member, or any other change that can be undone. */
export interface InstalledTap {
  readonly target: object;
  readonly owner: string;
  readonly member: string;
  /** Empty for a tap that refuses nothing. */
  readonly attempts: readonly Attempt[];
  /** Repairs what it can, and says what is still wrong. */
  check(): string | undefined;
  undo(): void;
}

/** The taps of one guard, and the objects that they are in. */
export class TapSet {
  readonly #context: GuardContext;
  readonly #claimed: Set<object> = new Set();
  readonly #taps: InstalledTap[] = [];

  constructor(context: GuardContext) {
    this.#context = context;
  }

  /** All taps, in the order of their installation. */
  get all(): readonly InstalledTap[] {
    return this.#taps;
  }

  /** Everything that was claimed. */
  get claimed(): ReadonlySet<object> {
    return this.#claimed;
  }

  /**
   * Claims an object for the guard. Returns whether it must be tapped now: an object may appear in several places.
   *
   * @throws {@link GuardInstallError} when another guard of the same breaker has claimed it.
   */
  claim(target: object, owner: string): boolean {
    if (this.#claimed.has(target)) return false;
    const { guarded } = this.#context.shared;
    const holder = guarded.get(target);
    if (holder !== undefined) {
      const sentence = whyClaimed(holder, this.#context.breaker);
      throw new GuardInstallError(owner, 'an unguarded object', { sentence });
    }
    guarded.set(target, this.#context.breaker);
    this.#claimed.add(target);
    return true;
  }

  /** Adds a tap that is in place. */
  add(tap: InstalledTap): void {
    this.#taps.push(tap);
  }

  /** Runs work that installs taps; if it fails, all of them are removed. */
  whole<T>(work: () => T): T {
    const [taps, claims] = [this.#taps.length, this.#claimed.size];
    try {
      return work();
    } catch (error) {
      this.#undo(taps, claims);
      throw error;
    }
  }

  /**
   * Replaces a member.
   *
   * @throws {@link GuardInstallError} naming the member when it cannot be replaced.
   */
  replace(
    target: object,
    owner: string,
    member: string,
    value: unknown,
    attempts: readonly Attempt[] = [],
  ): void {
    const { isInPlace, undo } = replaceMember(target, owner, member, value);
    const check = (): string | undefined =>
      isInPlace() ? undefined : 'something else has replaced it';
    this.add({ target, owner, member, attempts, check, undo });
  }

  /** Takes all taps off, the last first, and gives up all claims. Idempotent. */
  undo(): void {
    this.#undo(0, 0);
  }

  /** Keeps the first ones of each. */
  #undo(taps: number, claims: number): void {
    for (const tap of this.#taps.splice(taps).reverse()) tap.undo();
    for (const target of [...this.#claimed].slice(claims)) {
      this.#context.shared.guarded.delete(target);
      this.#claimed.delete(target);
    }
  }
}

/** Why an object cannot be guarded that a breaker holds. A tap that two users share would charge both. */
export function whyClaimed(holder: Breaker, breaker: Breaker): string {
  const isForTenant = [holder, breaker].some((one) => internalsOf(one).prefix !== '');
  if (!isForTenant) {
    return 'already guarded by this breaker; uninstall that guard first, or give this one a breaker of its own';
  }
  return 'already guarded, maybe for another user; guard it once with the whole breaker, and say for whom it works: guard.run({ user }, () => …)';
}
