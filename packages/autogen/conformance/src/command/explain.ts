import type { Report } from '../harness/report.ts';

/** The lines that tell how the cases came out, those that passed as recorded left out. */
export function explain({ results, byFile }: Report): readonly string[] {
  const cases = results
    .filter(({ outcome }) => outcome !== 'passed')
    .flatMap(({ id, outcome, rule, reasons }) => [
      `${outcome} ${id}${rule === null ? '' : ` (${rule})`}`,
      ...reasons.map((reason) => `  ${reason}`),
    ]);
  const files = Object.entries(byFile).map(
    ([file, { total, passed, deviating, failed, skipped }]) =>
      `${file}: ${passed} of ${total} passed, ${deviating} deviating, ${failed} failed, ${skipped} skipped`,
  );
  return [...cases, ...files];
}
