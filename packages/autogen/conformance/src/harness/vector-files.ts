import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from './json.ts';
import { readText } from './read-text.ts';

/** The least that every recorded case has. */
export interface AnyVector {
  readonly id: string;
}

/** The cases of one file. */
export interface VectorFile<Vector extends AnyVector> {
  readonly name: string;
  readonly cases: readonly LoadedCase<Vector>[];
  /** Its lines that are no cases. */
  readonly unreadable: readonly UnreadableLine[];
}

/** A case under an id that no other case of its directory has. */
export interface LoadedCase<Vector extends AnyVector> {
  readonly id: string;
  readonly vector: Vector;
}

/** A line that is no case, under an id that says where it is. */
export interface UnreadableLine {
  readonly id: string;
  readonly reason: string;
}

/** Reads all `*.jsonl` and `*.jsonl.gz` files of a directory, in the order of their names. */
export async function readVectorFiles<Vector extends AnyVector>(
  directory: string,
): Promise<readonly VectorFile<Vector>[]> {
  const names = (await readdir(directory)).filter((name) => EXTENSION.test(name)).sort();
  const taken = new Set<string>();
  const texts = await Promise.all(names.map((name) => readText(join(directory, name))));
  return names.map((name, at) => {
    const file = name.replace(EXTENSION, '');
    const cases: LoadedCase<Vector>[] = [];
    const unreadable: UnreadableLine[] = [];
    for (const [line, text] of (texts[at] ?? '').split('\n').entries()) {
      if (text.trim() === '') continue;
      try {
        const vector = vectorIn<Vector>(text);
        cases.push({ id: uniqueId(`${file}/${vector.id}`, taken), vector });
      } catch (error) {
        unreadable.push({ id: `${file}:${line + 1}`, reason: `not read: ${String(error)}` });
      }
    }
    return { name, cases, unreadable };
  });
}

const EXTENSION = /\.jsonl(?:\.gz)?$/;

function vectorIn<Vector extends AnyVector>(text: string): Vector {
  const read: unknown = JSON.parse(text);
  if (isObject(read) && typeof read.id === 'string') return read as unknown as Vector;
  throw new TypeError("expected an object with a text in field 'id'");
}

/** The id itself for the first case that has it; the following ones are numbered. */
function uniqueId(id: string, taken: Set<string>): string {
  let unique = id;
  for (let count = 2; taken.has(unique); count += 1) unique = `${id}#${count}`;
  taken.add(unique);
  return unique;
}
