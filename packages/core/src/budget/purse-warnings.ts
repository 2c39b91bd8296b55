import type { Finding } from '../finding.ts';
import { type Books, nearlySpent } from './budget-findings.ts';

/** Warns once per purse when the share `warnAt` is spent, and again after its limit is raised. */
export class PurseWarnings {
  readonly #warnAt: number | undefined;
  readonly #warned: Set<string> = new Set();

  constructor(warnAt: number | undefined) {
    this.#warnAt = warnAt;
  }

  /** The warning that is due after a call of an agent. */
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
