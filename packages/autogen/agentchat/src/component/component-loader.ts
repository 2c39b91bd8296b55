/** The expected type of a component: a class, or a named check. */
export type Expected<T> =
  | (abstract new (
      ...args: never[]
    ) => T)
  | { readonly is: (value: unknown) => value is T };

/** Loads the components nested in another one. */
export interface ComponentLoader {
  /**
   * Makes a component from its dump.
   *
   * @throws {@link ValidationError} for a malformed dump, {@link ValueError} for an unknown provider,
   * TypeError for a component of another type than expected.
   */
  load<T>(model: unknown, expected: Expected<T>): T;
}

/** A class whose components can be loaded. */
export interface ComponentClass<T = unknown> {
  /** Names the class in dumps. */
  readonly provider: string;
  /** Other names it is found under. @defaultValue [] */
  readonly aliases?: readonly string[];
  /** Version of the config's form; dumps of lower versions are refused. @defaultValue 1 */
  readonly version?: number;
  /** Makes a component from its unchecked config. */
  load(config: Readonly<Record<string, unknown>>, loader: ComponentLoader): T;
}
