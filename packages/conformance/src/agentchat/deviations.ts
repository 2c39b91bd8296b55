/** A way in which the package differs from the recorded library on purpose. */
export interface Deviation {
  /** The tag of the cases that may differ. */
  readonly tag: string;
  /** The rule in the package's SPEC.md. */
  readonly rule: string;
  readonly reason: string;
}

/** All deliberate differences. A case that differs and carries none of these tags has failed. */
export const deviations: readonly Deviation[] = [];
