/** How the cases of a file, or of all files, came out; `total` is the sum of the other numbers. */
export interface Totals {
  readonly total: number;
  readonly passed: number;
  /** Differ in a way that is declared as deliberate. */
  readonly deviating: number;
  readonly failed: number;
  /** Were not run, as a program they need is missing. */
  readonly skipped: number;
}

/** A case that did not pass. */
export interface NotPassed {
  readonly id: string;
  readonly outcome: 'deviating' | 'failed' | 'skipped';
  /** The deviation it falls under, or the missing program. */
  readonly rule: string | null;
  readonly differences: readonly string[];
}

/** How all cases of a directory came out. */
export interface Report extends Totals {
  readonly byFile: Readonly<Record<string, Totals>>;
  readonly notPassed: readonly NotPassed[];
}

/** Runs the recorded cases of a directory against one of the shims. */
export interface Suite {
  /** The largest share of failed cases that is accepted. */
  readonly allowedFailedShare: number;
  run(directory: string): Promise<Report>;
}
