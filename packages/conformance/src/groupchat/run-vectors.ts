import type { NotPassed, Report, Totals } from '../harness/suite.ts';
import { differences } from './compare.ts';
import { type Deviation, deviations } from './deviations.ts';
import { type Played, play } from './play/play.ts';
import { hasProgram } from './play/programs.ts';
import type { Vector } from './vector.ts';
import { readVectorFiles } from './vector-files.ts';

/** Runs every case of every vector file in a directory. */
export async function runGroupchatVectors(directory: string): Promise<Report> {
  const byFile: Record<string, Totals> = {};
  const notPassed: NotPassed[] = [];
  for (const { name, vectors } of await readVectorFiles(directory)) {
    const ofFile: NotPassed[] = [];
    for (const vector of vectors) {
      const result = await runVector(vector);
      if (result) ofFile.push(result);
    }
    byFile[name] = totals(vectors.length, ofFile);
    notPassed.push(...ofFile);
  }
  const total = Object.values(byFile).reduce((sum, file) => sum + file.total, 0);
  return { ...totals(total, notPassed), byFile, notPassed };
}

/** Runs one case; `null` when it passed. */
export async function runVector(vector: Vector): Promise<NotPassed | null> {
  const { id } = vector;
  const missing = (vector.needs ?? []).find((program) => !hasProgram(program));
  if (missing) return { id, outcome: 'skipped', rule: missing, differences: [] };
  const played = await play(vector);
  const { texts, parting } = differences(vector, played);
  // A case that had to be cut off has not shown how it ends.
  if (texts.length === 0 && !vector.expect.trace_truncated) return null;
  const concerning = deviations.filter(({ concerns }) => concerns(vector, parting));
  const rule = narrowRules(vector, played, concerning) ?? wideRule(concerning);
  return { id, outcome: rule === null ? 'failed' : 'deviating', rule, differences: texts };
}

/** The deviations that explain every single difference, if some together do. */
function narrowRules(
  vector: Vector,
  played: Played,
  concerning: readonly Deviation[],
): string | null {
  const used = new Set<string>();
  const { texts } = differences(vector, played, (expected, got, path) =>
    concerning.some(({ rule, forgives }) => {
      const isForgiven = forgives?.(expected, got, path) ?? false;
      if (isForgiven) used.add(rule);
      return isForgiven;
    }),
  );
  return texts.length === 0 && used.size > 0 ? [...used].join(', ') : null;
}

function wideRule(concerning: readonly Deviation[]): string | null {
  return concerning.find(({ forgives }) => forgives === undefined)?.rule ?? null;
}

function totals(total: number, notPassed: readonly NotPassed[]): Totals {
  const count = (outcome: NotPassed['outcome']): number =>
    notPassed.filter((result) => result.outcome === outcome).length;
  const passed = total - notPassed.length;
  return {
    total,
    passed,
    deviating: count('deviating'),
    failed: count('failed'),
    skipped: count('skipped'),
  };
}
