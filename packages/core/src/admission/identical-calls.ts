import { type OnCancel, Waiter } from '../common/waiter.ts';

/**
 * Counts tool calls under way by who asks what: calls beyond `max` wait for those before them, whose outcomes then decide
 * whether they go in circles.
 */
export class IdenticalCalls {
  readonly #max: number;
  readonly #underWay: Map<number, number> = new Map();
  /** Those who wait for a call to end. */
  readonly #waiting: Map<number, Set<Waiter<void>>> = new Map();

  constructor(max: number) {
    this.#max = max;
  }

  isFull(ask: number): boolean {
    return (this.#underWay.get(ask) ?? 0) >= this.#max;
  }

  /** Counts a call. The function that is returned ends it. */
  enter(ask: number): () => void {
    this.#underWay.set(ask, (this.#underWay.get(ask) ?? 0) + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const left = (this.#underWay.get(ask) ?? 1) - 1;
      if (left === 0) this.#underWay.delete(ask);
      else this.#underWay.set(ask, left);
      this.wakeNext(ask);
    };
  }

  /** Wakes the call that has waited longest, if there is a place for it. */
  wakeNext(ask: number): void {
    if (this.isFull(ask)) return;
    const [longest] = this.#waiting.get(ask) ?? [];
    longest?.answer();
  }

  /** Waits for a place, or until `until` ends the wait. A caller that does not take the place must call {@link IdenticalCalls.wakeNext}. */
  waitForPlace(ask: number, until: OnCancel): Promise<void> {
    const all = this.#waiting.get(ask) ?? new Set();
    this.#waiting.set(ask, all);
    const waiter = new Waiter<void>(() => {
      all.delete(waiter);
      if (all.size === 0 && this.#waiting.get(ask) === all) this.#waiting.delete(ask);
    });
    all.add(waiter);
    return waiter.wait(until);
  }
}
