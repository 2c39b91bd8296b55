import { type Difference, describeDifference, differences } from './difference.ts';
import type { Json } from './json.ts';
import { type KnownDifference, vectorDigest } from './known-difference.ts';
import type { Library } from './library.ts';
import type { CaseResult } from './report.ts';
import type { AnyVector, LoadedCase } from './vector-files.ts';

/** Compares the result of a case with the recorded one: it is the same, or differs exactly as known. */
export function judge<Vector extends AnyVector>(
  library: Library<Vector>,
  { id, vector }: LoadedCase<Vector>,
  got: Json,
  known: KnownDifference | undefined,
): CaseResult {
  const found = differences(library.recorded(vector), got, library.isSame);
  const reasons = known ? deviations(vector, found, known) : found.map(describeDifference);
  if (reasons.length > 0) return { id, outcome: 'failed', rule: null, reasons };
  const names = known?.rules ?? [];
  const isDeviating = library.rules.some(
    ({ name, kind }) => kind === 'deviation' && names.includes(name),
  );
  const outcome = isDeviating ? 'deviating' : 'passed';
  return { id, outcome, rule: names.length > 0 ? names.join(', ') : null, reasons };
}

/** In what a case is not as it was when its differences were recorded. */
function deviations(
  vector: AnyVector,
  found: readonly Difference[],
  known: KnownDifference,
): readonly string[] {
  const now = found.map((one) => JSON.stringify(one));
  const then = known.differences.map((one) => JSON.stringify(one));
  return [
    ...(vectorDigest(vector) === known.vector ? [] : ['the case is not the one that was recorded']),
    ...found.filter((_, at) => !then.includes(now[at] ?? '')).map(describeDifference),
    ...known.differences
      .filter((_, at) => !now.includes(then[at] ?? ''))
      .map((one) => `no longer as recorded: ${describeDifference(one)}`),
  ];
}
