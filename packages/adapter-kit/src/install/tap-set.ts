import { GuardInstallError } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { type Replacement, replaceMember } from './replace-member.ts';

/** A step through a tap, by which the self-test tries to get past it after a trip. */
export type Attempt = () => Promise<unknown>;

/** A tap in a member of something. */
export interface InstalledTap extends Replacement {
  readonly target: object;
  readonly owner: string;
  readonly member: string;
  /** Empty for a tap that refuses nothing. */
  readonly attempts: readonly Attempt[];
}

/** The taps of one guard, and the objects that they are in. */
export class TapSet {
  readonly #context: GuardContext;
  readonly #claimed: Set<object> = new Set();
  #taps: InstalledTap[] = [];

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
   * Claims an object for the guard. Says whether it is to be tapped now: it may take part in several places.
   *
   * @throws {@link GuardInstallError} when another guard of the same breaker has claimed it.
   */
  claim(target: object, owner: string): boolean {
    if (this.#claimed.has(target)) return false;
    const { guarded } = this.#context.shared;
    if (guarded.has(target)) {
      throw new GuardInstallError(owner, 'nothing that this breaker guards already');
    }
    guarded.add(target);
    this.#claimed.add(target);
    return true;
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
    const replacement = replaceMember(target, owner, member, value);
    this.#taps.push({ target, owner, member, attempts, ...replacement });
  }

  /** Takes all taps off, the last first, and gives up all claims. Idempotent. */
  undo(): void {
    for (const tap of this.#taps.reverse()) tap.undo();
    this.#taps = [];
    for (const target of this.#claimed) this.#context.shared.guarded.delete(target);
    this.#claimed.clear();
  }
}
