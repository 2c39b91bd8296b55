import { differences } from './difference.ts';
import { type KnownDifference, type KnownDifferences, vectorDigest } from './known-difference.ts';
import type { Library } from './library.ts';
import { explainingRules } from './rule.ts';
import { type AnyVector, type LoadedCase, readVectorFiles } from './vector-files.ts';

/**
 * The differences of all cases in a directory that rules explain. A case that cannot be run here keeps the differences it
 * had; one with a difference that no rule explains, or that cannot be played, gets none and goes on failing.
 */
export async function recordDifferences<Vector extends AnyVector>(
  library: Library<Vector>,
  directory: string,
  before: KnownDifferences,
): Promise<readonly KnownDifference[]> {
  const recorded: KnownDifference[] = [];
  for (const { cases } of await readVectorFiles<Vector>(directory)) {
    for (const one of cases) {
      const known = await differencesOf(library, one, before);
      if (known) recorded.push(known);
    }
  }
  return recorded;
}

async function differencesOf<Vector extends AnyVector>(
  library: Library<Vector>,
  one: LoadedCase<Vector>,
  before: KnownDifferences,
): Promise<KnownDifference | undefined> {
  try {
    const isMissing = (library.missingProgram?.(one.vector) ?? null) !== null;
    return isMissing ? before.get(one.id) : await recordCase(library, one);
  } catch {
    // The run that follows names the case and says why it could not be played.
    return undefined;
  }
}

async function recordCase<Vector extends AnyVector>(
  library: Library<Vector>,
  { id, vector }: LoadedCase<Vector>,
): Promise<KnownDifference | undefined> {
  const got = await library.play(vector);
  const found = differences(library.recorded(vector), got, library.isSame);
  const rules = explainingRules(library.rules, id, vector, found);
  if (found.length === 0 || rules === null) return undefined;
  return {
    id,
    vector: vectorDigest(vector),
    rules: rules.map(({ name }) => name),
    differences: found,
  };
}
