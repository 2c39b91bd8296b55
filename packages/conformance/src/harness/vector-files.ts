import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readText } from './read-text.ts';

/** The least that every recorded case has. */
export interface AnyVector {
  readonly id: string;
}

/** The cases of one file. */
export interface VectorFile<Vector extends AnyVector> {
  readonly name: string;
  readonly cases: readonly LoadedCase<Vector>[];
}

/** A case under an id that no other case of its directory has. */
export interface LoadedCase<Vector extends AnyVector> {
  readonly id: string;
  readonly vector: Vector;
}

/** Reads all `*.jsonl` and `*.jsonl.gz` files of a directory, in the order of their names. */
export async function readVectorFiles<Vector extends AnyVector>(
  directory: string,
): Promise<readonly VectorFile<Vector>[]> {
  const names = (await readdir(directory)).filter((name) => EXTENSION.test(name)).sort();
  const taken = new Set<string>();
  const texts = await Promise.all(names.map((name) => readText(join(directory, name))));
  return names.map((name, at) => ({
    name,
    cases: vectorsIn<Vector>(texts[at] ?? '').map((vector) => ({
      id: uniqueId(`${name.replace(EXTENSION, '')}/${vector.id}`, taken),
      vector,
    })),
  }));
}

const EXTENSION = /\.jsonl(?:\.gz)?$/;

function vectorsIn<Vector>(text: string): readonly Vector[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Vector);
}

/** The id itself for the first case that has it; the following ones are numbered. */
function uniqueId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let count = 2; taken.has(unique); count += 1) unique = `${id}#${count}`;
  taken.add(unique);
  return unique;
}
