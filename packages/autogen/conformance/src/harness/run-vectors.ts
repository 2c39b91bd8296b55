import { judge } from './judge.ts';
import {
  type KnownDifference,
  type KnownDifferences,
  knownDifferencesFile,
  readKnownDifferences,
} from './known-difference.ts';
import type { Library } from './library.ts';
import { type CaseResult, type Report, reportOf } from './report.ts';
import { type AnyVector, type LoadedCase, readVectorFiles } from './vector-files.ts';

/** Runs every case of every vector file in a directory, beside the committed known differences. */
export async function runVectors<Vector extends AnyVector>(
  library: Library<Vector>,
  directory: string,
): Promise<Report> {
  const known = await readKnownDifferences(knownDifferencesFile(library.name));
  return runAgainst(library, directory, known);
}

/** Runs every case of every vector file in a directory. */
export async function runAgainst<Vector extends AnyVector>(
  library: Library<Vector>,
  directory: string,
  known: KnownDifferences,
): Promise<Report> {
  const byFile = new Map<string, readonly CaseResult[]>();
  for (const { name, cases, unreadable } of await readVectorFiles<Vector>(directory)) {
    const results: CaseResult[] = unreadable.map(({ id, reason }) => failed(id, reason));
    for (const one of cases) results.push(await runCase(library, one, known.get(one.id)));
    byFile.set(name, results);
  }
  return reportOf(byFile);
}

/** Runs one case. */
export async function runCase<Vector extends AnyVector>(
  library: Library<Vector>,
  loaded: LoadedCase<Vector>,
  known?: KnownDifference,
): Promise<CaseResult> {
  const { id, vector } = loaded;
  try {
    const missing = library.missingProgram?.(vector) ?? null;
    if (missing !== null) return { id, outcome: 'skipped', rule: missing, reasons: [] };
    return judge(library, loaded, await library.play(vector), known);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return failed(id, `not played: ${reason}`);
  }
}

function failed(id: string, reason: string): CaseResult {
  return { id, outcome: 'failed', rule: null, reasons: [reason] };
}
