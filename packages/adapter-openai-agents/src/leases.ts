import { replaceMember } from '@teamfuse/adapter-kit';

/** Undoes something. */
type Undo = () => void;

/** Puts taps into one object. */
export interface Taps {
  replace(member: string, value: unknown): void;
  /** Adds how any other change is undone. */
  undoBy(undo: Undo): void;
}

/** Taps that are in place as long as a run needs them: agents and tools outlive runs, and are made anew for others. */
export class Leases {
  readonly #all: WeakMap<object, { runs: number; readonly undo: Undo[] }> = new WeakMap();

  /** Holds an object for a run. The first run that does so puts the taps in. */
  hold(held: Set<object>, target: object, owner: string, tap: (taps: Taps) => void): void {
    if (held.has(target)) return;
    const lease = this.#all.get(target) ?? { runs: 0, undo: [] };
    if (lease.runs === 0) {
      tap({
        replace: (member, value) => {
          lease.undo.push(replaceMember(target, owner, member, value).undo);
        },
        undoBy: (undo) => lease.undo.push(undo),
      });
    }
    lease.runs++;
    held.add(target);
    this.#all.set(target, lease);
  }

  /** Lets all go that a run has held. The last run that does so takes the taps out. */
  release(held: Set<object>): void {
    for (const target of held) {
      const lease = this.#all.get(target);
      if (lease === undefined || --lease.runs > 0) continue;
      for (const undo of lease.undo.splice(0).reverse()) undo();
      this.#all.delete(target);
    }
    held.clear();
  }
}
