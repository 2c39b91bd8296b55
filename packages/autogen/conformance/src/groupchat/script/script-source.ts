import type { Script } from '../vector.ts';

/** A fault of the case's scripts: something was asked for that the recorded run never asked for. */
class ExhaustedError extends Error {
  override readonly name = 'ExhaustedError';
}

/** Deals out the items of a script; `undefined` means it passes. */
export class ScriptSource<Item> {
  /** How often it was asked. */
  calls = 0;
  readonly #items: readonly Item[];
  readonly #then: 'last' | 'cycle' | 'pass';

  constructor(items: readonly Item[] = [], then: Script<Item>['then'] = 'last') {
    this.#items = items;
    this.#then = then;
  }

  next(): Item | undefined {
    const at = this.calls;
    this.calls += 1;
    if (at < this.#items.length || this.#then === 'pass') return this.#items[at];
    if (this.#then === 'last') return this.#items.at(-1);
    return this.#items.length === 0 ? undefined : this.#items[at % this.#items.length];
  }
}

/** A list that has to be used up exactly. */
export class ExactSource<Item> {
  readonly #name: string;
  readonly #items: Item[];
  #overdrawn = false;

  constructor(name: string, items: readonly Item[] = []) {
    this.#name = name;
    this.#items = [...items];
  }

  next(): Item {
    const item = this.#items.shift();
    if (item !== undefined) return item;
    this.#overdrawn = true;
    throw new ExhaustedError(`${this.#name} was asked once more than recorded`);
  }

  /** What is wrong with the use that was made of it. */
  problem(): string | null {
    if (this.#overdrawn) return `${this.#name} was asked more often than recorded`;
    return this.#items.length > 0 ? `${this.#name}: ${this.#items.length} items left over` : null;
  }
}
