import { expect } from 'vitest';
import { Watch } from '../../src/guarded.ts';
import { knownDifferencesFile, readKnownDifferences } from '../../src/harness/known-difference.ts';
import type { Library } from '../../src/harness/library.ts';
import { runCase } from '../../src/harness/run-vectors.ts';
import {
  type AnyVector,
  type LoadedCase,
  readVectorFiles,
} from '../../src/harness/vector-files.ts';
import { committedVectors } from './fixtures.ts';

/** Plays cases of a library. Resolves to the ids of those that fail. */
export async function failuresOf<V extends AnyVector>(
  library: Library<V>,
  cases: readonly LoadedCase<V>[],
): Promise<readonly string[]> {
  const known = await readKnownDifferences(knownDifferencesFile(library.name));
  const failed: string[] = [];
  for (const one of cases) {
    const { outcome } = await runCase(library, one, known.get(one.id));
    if (outcome === 'failed') failed.push(one.id);
  }
  return failed;
}

/** How many cases are played, in how many of them there is something to guard, and how many signals they give at least. */
interface Counts {
  readonly played: number;
  readonly guarded: number;
  readonly signals: number;
}

/** Plays every so many-th case of AutoGen AgentChat or 0.2 with a guard on all: each gives what it gives without. */
export async function checkGuarded(
  name: 'agentchat' | 'groupchat',
  every: number,
  { played, guarded, signals }: Counts,
): Promise<void> {
  const watch = new Watch();
  const library = watch[name]() as Library<AnyVector>;
  const files = await readVectorFiles<AnyVector>(committedVectors(name));
  const cases = files.flatMap((file) => file.cases).filter((_, at) => at % every === 0);
  expect(await failuresOf(library, cases)).toEqual([]);
  expect({ played: cases.length, guarded: watch.cases }).toEqual({ played, guarded });
  expect(watch.signals).toBeGreaterThan(signals);
}
