/** Objects by name, for as long as somebody else holds them. */
export class WeakValues {
  readonly #values: Map<string, WeakRef<object>> = new Map();
  readonly #gone: FinalizationRegistry<string> = new FinalizationRegistry((name) => {
    if (this.#values.get(name)?.deref() === undefined) this.#values.delete(name);
  });

  /** The object of this name; a new one if nobody holds it. */
  get<T extends object>(name: string, create: () => T): T {
    const known = this.#values.get(name)?.deref();
    if (known !== undefined) return known as T;
    const value = create();
    this.#values.set(name, new WeakRef(value));
    this.#gone.register(value, name);
    return value;
  }
}
