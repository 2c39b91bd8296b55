import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { GoldLabel } from '../scores/score-traces.ts';
import { readDialogues } from './read-dialogues.ts';
import type { Scenario } from './scenario.ts';
import type { Trace } from './trace.ts';

/** Reads all scenarios of a directory: single files, collections with one scenario a line, and dialogues as plain text. */
export function readScenarios(directory: string): Scenario[] {
  const scenarios: Scenario[] = [];
  for (const name of readdirSync(directory).sort()) {
    const path = join(directory, name);
    if (name.endsWith('.json')) scenarios.push(JSON.parse(readFileSync(path, 'utf8')) as Scenario);
    if (name.endsWith('.txt')) scenarios.push(...readDialogues(path));
    if (name.endsWith('.jsonl.gz')) scenarios.push(...readLines<Scenario>(path));
  }
  return scenarios;
}

/** Reads a collection of recordings, one a line, gzipped or not. */
export function readTraces(path: string): Trace[] {
  return readLines<Trace>(path);
}

/** Reads hand labels, one a line. */
export function readGold(path: string): GoldLabel[] {
  return readLines<GoldLabel>(path);
}

/** Reads a text, gzipped or not. */
export function readText(path: string): string {
  const data = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(data) : data).toString('utf8');
}

/** Reads JSON, one value a line, gzipped or not. */
export function readLines<T>(path: string): T[] {
  return readText(path)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T);
}
