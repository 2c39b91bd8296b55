import { BoundedMap } from '../common/bounded-map.ts';
import type { Finding } from '../detection/finding.ts';
import { type Books, nearlySpent } from './budget-findings.ts';

/** The shares after which the team is told what is left: half of it, a quarter, an eighth. */
const COUNTDOWN = [0.5, 0.75, 0.875];

/** Of so many warnings it is known that they were given. */
const MAX_WARNED = 10_000;

/** Warns once per purse when the share `warnAt` is spent, or one of a countdown, and again after its limit is raised. */
export class PurseWarnings {
  readonly #warnAt: number | undefined;
  #shares: readonly number[];
  readonly #warned: BoundedMap<string, true> = new BoundedMap(MAX_WARNED);

  constructor(warnAt: number | undefined) {
    this.#warnAt = warnAt;
    this.#shares = warnAt === undefined ? [] : [warnAt];
  }

  /** Warns at more shares than one. */
  countDown(): void {
    this.#shares = [...new Set([...this.#shares, ...COUNTDOWN])].sort((one, other) => one - other);
  }

  /** The warning that is due after a call of an agent. */
  due(agent: string, books: readonly Books[]): Finding | undefined {
    for (const one of books) {
      let due: Finding | undefined;
      for (const share of this.#shares) {
        const { name } = one.purse;
        const key = share === this.#warnAt ? name : `${share}/${name}`;
        const finding = nearlySpent(agent, one, share);
        if (finding === undefined) this.#warned.delete(key);
        else {
          if (!this.#warned.has(key)) due = finding;
          this.#warned.set(key, true);
        }
      }
      if (due !== undefined) return due;
    }
    return undefined;
  }

  get state(): readonly string[] {
    return this.#warned.entries().map(([key]) => key);
  }

  set state(names: readonly string[]) {
    this.#warned.clear();
    for (const name of names) this.#warned.set(name, true);
  }
}
