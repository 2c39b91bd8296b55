/** Objects by name, for as long as somebody else holds them. */
export class Views {
  readonly #views: Map<string, WeakRef<object>> = new Map();
  readonly #gone: FinalizationRegistry<string> = new FinalizationRegistry((name) => {
    if (this.#views.get(name)?.deref() === undefined) this.#views.delete(name);
  });

  /** The object of this name; a new one if nobody holds it. */
  get<T extends object>(name: string, create: () => T): T {
    const known = this.#views.get(name)?.deref();
    if (known !== undefined) return known as T;
    const view = create();
    this.#views.set(name, new WeakRef(view));
    this.#gone.register(view, name);
    return view;
  }
}
