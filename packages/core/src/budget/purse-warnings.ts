import type { Finding } from '../finding.ts';
import { type Books, nearlySpent } from './budget-findings.ts';

/** Warns once for each purse of which a part is spent, and again once its limit was raised. @internal */
export class PurseWarnings {
  readonly #warnAt: number | undefined;
  /** The purses that the team was warned of. */
  readonly #warned: Set<string> = new Set();

  constructor(warnAt: number | undefined) {
    this.#warnAt = warnAt;
  }

  /** The warning that is due after a call of an agent, if there is one. */
  due(agent: string, books: readonly Books[]): Finding | undefined {
    const warnAt = this.#warnAt;
    if (warnAt === undefined) return undefined;
    for (const one of books) {
      const finding = nearlySpent(agent, one, warnAt);
      if (finding === undefined) this.#warned.delete(one.purse.name);
      else if (!this.#warned.has(one.purse.name)) {
        this.#warned.add(one.purse.name);
        return finding;
      }
    }
    return undefined;
  }

  get state(): readonly string[] {
    return [...this.#warned];
  }

  set state(names: readonly string[]) {
    this.#warned.clear();
    for (const name of names) this.#warned.add(name);
  }
}
