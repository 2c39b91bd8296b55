/** A class, or a check under the name of a type, that tells what a component has to be. */
export type Expected<T> =
  | (abstract new (
      ...args: never[]
    ) => T)
  | { readonly is: (value: unknown) => value is T };

/** Loads the components another one consists of. */
export interface ComponentLoader {
  /**
   * Makes a component out of its dump.
   *
   * @throws {@link ValidationError} for what is not a dump, {@link ValueError} for a provider that is not known,
   * TypeError when the component is not what is expected.
   */
  load<T>(model: unknown, expected: Expected<T>): T;
}

/** A class of components that can be loaded. */
export interface ComponentClass<T = unknown> {
  /** Names the class in dumps. */
  readonly provider: string;
  /** Other names it is found under. @defaultValue [] */
  readonly aliases?: readonly string[];
  /** Version of the config's form; dumps of lower versions are refused. @defaultValue 1 */
  readonly version?: number;
  /** Makes a component out of its config, which has not been checked yet. */
  load(config: Readonly<Record<string, unknown>>, loader: ComponentLoader): T;
}
