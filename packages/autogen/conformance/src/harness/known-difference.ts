import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Difference } from './difference.ts';
import { readText } from './read-text.ts';
import type { AnyVector } from './vector-files.ts';

/** The exact way in which the result of one case differs from the recorded one. */
export interface KnownDifference {
  /** The unique id of the case. */
  readonly id: string;
  /** The digest of the case the differences were recorded against. */
  readonly vector: string;
  /** The names of the rules the differences belong to. */
  readonly rules: readonly string[];
  readonly differences: readonly Difference[];
}

/** The known differences of a library, by the unique id of the case. */
export type KnownDifferences = ReadonlyMap<string, KnownDifference>;

/** The committed file that keeps the known differences of a library. */
export function knownDifferencesFile(library: string): string {
  return fileURLToPath(new URL(`../../fixtures/known/${library}.jsonl`, import.meta.url));
}

export async function readKnownDifferences(path: string): Promise<KnownDifferences> {
  const lines = (await readText(path)).split('\n').filter((line) => line !== '');
  const known = lines.map((line) => JSON.parse(line) as KnownDifference);
  return new Map(known.map((one) => [one.id, one]));
}

export async function writeKnownDifferences(
  path: string,
  known: readonly KnownDifference[],
): Promise<void> {
  await writeFile(path, known.map((one) => `${JSON.stringify(one)}\n`).join(''));
}

/** Changes with everything that stands in a case, the input as well as what was recorded. */
export function vectorDigest(vector: AnyVector): string {
  return createHash('sha256').update(JSON.stringify(vector)).digest('hex');
}
