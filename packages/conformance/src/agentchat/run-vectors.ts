import type { JsonObject, JsonValue } from '@teamfuse/agentchat';
import type { NotPassed, Report, Totals } from '../harness/suite.ts';
import { type Difference, differences } from './compare.ts';
import { deviations } from './deviations.ts';
import { playComponent } from './play/play-component.ts';
import { playCondition } from './play/play-condition.ts';
import { playRun } from './play/play-run.ts';
import type { Played } from './play/played.ts';
import type { AnyCase, ComponentCase, ConditionCase, RunCase } from './vector.ts';
import { readVectorFiles } from './vector-files.ts';

/** Runs every case of every vector file in a directory. */
export async function runAgentchatVectors(directory: string): Promise<Report> {
  const byFile: Record<string, Totals> = {};
  const notPassed: NotPassed[] = [];
  for (const { name, cases } of await readVectorFiles(directory)) {
    const ofFile: NotPassed[] = [];
    for (const vector of cases) {
      const result = await runCase(vector);
      if (result !== null) ofFile.push(result);
    }
    byFile[name] = totals(cases.length, ofFile);
    notPassed.push(...ofFile);
  }
  const total = Object.values(byFile).reduce((sum, file) => sum + file.total, 0);
  return { ...totals(total, notPassed), byFile, notPassed };
}

/** Runs one case; `null` when it passed. */
export async function runCase(vector: AnyCase): Promise<NotPassed | null> {
  const { id } = vector;
  let found: readonly Difference[];
  try {
    found = differences(recorded(vector), await played(vector));
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { id, outcome: 'failed', rule: null, differences: [`not played: ${reason}`] };
  }
  if (found.length === 0) return null;
  const rule = declared(vector, found);
  return {
    id,
    outcome: rule === null ? 'failed' : 'deviating',
    rule,
    differences: found.map(
      ({ path, expected, got }) =>
        `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`,
    ),
  };
}

/** The deviations that together account for every single difference, if some do. */
function declared({ tags = [] }: AnyCase, found: readonly Difference[]): string | null {
  const candidates = deviations.filter(({ tag }) => tags.includes(tag));
  const used = found.map(({ path }) => candidates.find(({ where }) => where?.test(path) ?? true));
  if (used.includes(undefined)) return null;
  return [...new Set(used.map((deviation) => deviation?.tag))].join(', ');
}

async function played(vector: AnyCase): Promise<Played> {
  if ('steps' in vector) return playCondition(vector);
  if ('actions' in vector) return playRun(vector);
  return playComponent(vector);
}

const RECORDED = ['expected', 'construct_error', 'dumped', 'loaded_type', 'reloaded_dump'];

/** What the recorded library gave; the rest of a case is what it was given. */
function recorded(vector: ConditionCase | RunCase | ComponentCase): JsonObject {
  const entries = Object.entries(vector).filter(([key]) => RECORDED.includes(key));
  return Object.fromEntries(entries) as { readonly [key: string]: JsonValue };
}

function totals(total: number, notPassed: readonly NotPassed[]): Totals {
  const count = (outcome: NotPassed['outcome']): number =>
    notPassed.filter((result) => result.outcome === outcome).length;
  return {
    total,
    passed: total - notPassed.length,
    deviating: count('deviating'),
    failed: count('failed'),
    skipped: 0,
  };
}
