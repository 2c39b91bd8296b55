import type { JsonObject, JsonValue } from '@teamfuse/agentchat';
import type { NotPassed, Report, Totals } from '../suite.ts';
import { differences } from './compare.ts';
import { deviations } from './deviations.ts';
import { playComponent } from './play-component.ts';
import { playCondition } from './play-condition.ts';
import { playRun } from './play-run.ts';
import type { Played } from './played.ts';
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
  const found = await differencesOf(vector);
  if (found.length === 0) return null;
  const { id, tags = [] } = vector;
  const rule = deviations.find(({ tag }) => tags.includes(tag))?.tag ?? null;
  return { id, outcome: rule === null ? 'failed' : 'deviating', rule, differences: found };
}

async function differencesOf(vector: AnyCase): Promise<readonly string[]> {
  try {
    return differences(recorded(vector), await played(vector));
  } catch (error) {
    return [`could not be played: ${error instanceof Error ? error.stack : String(error)}`];
  }
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
