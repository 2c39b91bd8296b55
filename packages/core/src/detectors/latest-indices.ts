import { restoredNumbers } from '../analysis/restored.ts';
import type { JsonValue } from '../json.ts';

/** The most signals that evidence gathers of a stretch that has no end of its own. */
const CAPACITY = 20;

/** The indices of the latest 20 steps, for evidence: noting one takes no memory, only asking does. */
export class LatestIndices {
  readonly #ring: Float64Array = new Float64Array(CAPACITY);
  #count = 0;

  note(index: number): void {
    this.#ring[this.#count % CAPACITY] = index;
    this.#count++;
  }

  /** The latest `count`, as far as they are kept, oldest first. */
  latest(count: number): readonly number[] {
    const indices: number[] = [];
    for (let back = Math.min(count, this.#count, CAPACITY); back > 0; back--) {
      indices.push(this.#ring[(this.#count - back) % CAPACITY] as number);
    }
    return indices;
  }

  /** Those from `first` on, oldest first. */
  since(first: number): readonly number[] {
    return this.latest(CAPACITY).filter((index) => index >= first);
  }

  clear(): void {
    this.#count = 0;
  }

  snapshot(): JsonValue {
    return [...this.latest(CAPACITY)];
  }

  /** @throws {@link InvalidSnapshotError} */
  restore(path: string, snapshot: unknown): void {
    this.clear();
    for (const index of restoredNumbers(path, snapshot)) this.note(index);
  }
}
