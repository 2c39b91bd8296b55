/** A framework that an adapter of ours guards. */
export interface Framework {
  readonly name: string;
  /** Its package, as a project requires it. */
  readonly package: string;
  /** The major versions that the adapter supports. */
  readonly versions: readonly number[];
  readonly adapter: string;
  /** The line that guards an agent of it. */
  readonly line: string;
  readonly page: string;
}
