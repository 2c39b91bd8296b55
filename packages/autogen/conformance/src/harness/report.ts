/** How the cases of a file, or of all files, came out; `total` is the sum of the other numbers. */
export interface Totals {
  readonly total: number;
  readonly passed: number;
  /** Differ exactly as it is recorded, by a rule that is a deliberate deviation. */
  readonly deviating: number;
  readonly failed: number;
  /** Were not run, as a program they need is missing. */
  readonly skipped: number;
}

/** How a case came out. */
export type Outcome = 'passed' | 'deviating' | 'failed' | 'skipped';

/** How one case came out, and why. */
export interface CaseResult {
  /** Unique among all cases of the directory. */
  readonly id: string;
  readonly outcome: Outcome;
  /** The rules by which it differs, or the missing program. */
  readonly rule: string | null;
  /** Of a failed case: what is wrong with it. */
  readonly reasons: readonly string[];
}

/** How all cases of a directory came out. */
export interface Report extends Totals {
  readonly byFile: Readonly<Record<string, Totals>>;
  readonly results: readonly CaseResult[];
}

/** Puts the results of files together. */
export function reportOf(byFile: ReadonlyMap<string, readonly CaseResult[]>): Report {
  const results = [...byFile.values()].flat();
  const files = [...byFile].map(([name, ofFile]) => [name, totals(ofFile)] as const);
  return { ...totals(results), byFile: Object.fromEntries(files), results };
}

function totals(results: readonly CaseResult[]): Totals {
  const count = (outcome: Outcome): number =>
    results.filter((result) => result.outcome === outcome).length;
  return {
    total: results.length,
    passed: count('passed'),
    deviating: count('deviating'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
}
