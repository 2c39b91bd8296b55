import type { AnyFunction } from '@teamfuse/core/kit';

/** The names of functions by which their calls are told apart: of several with one name, all but the first get a number. */
export class FunctionNames {
  readonly #names: Map<AnyFunction, string> = new Map();
  readonly #counts: Map<string, number> = new Map();

  nameOf(fn: AnyFunction, name: string): string {
    const known = this.#names.get(fn);
    if (known !== undefined) return known;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const own = count === 1 ? name : `${name}#${count}`;
    this.#names.set(fn, own);
    return own;
  }
}
