import type { FoundFile } from '../input/find-files.ts';
import { openInput } from '../input/input.ts';
import { DEFAULT_LIMITS } from '../input/limits.ts';
import { fieldsOf } from '../transcript/values.ts';

/** A file to replay, and the older files of the same recording, the oldest first. */
export interface ReplayFile extends FoundFile {
  readonly older?: readonly string[];
}

/** `run.2.jsonl` is what `run.jsonl` was two files ago; somebody may have packed it since. */
const OLDER = /^(.+)\.([1-9]\d{0,3})(\.[^./\\]+)?$/;
/** A document is not read to find out that it is one. */
const LIMITS = { ...DEFAULT_LIMITS, maxDocumentBytes: 0 };

/** The files, of which those that a recorder moved aside because they were full are read with the next one. */
export async function joinRotated(files: readonly FoundFile[]): Promise<readonly ReplayFile[]> {
  const joined = new Map<FoundFile, readonly string[]>();
  const moved = new Set<FoundFile>();
  for (const alike of filesByName(files)) {
    let older: FoundFile[] = [];
    for (const file of alike) {
      const part = await partIn(file.source);
      const [before] = older.slice(-1);
      const isNext =
        before !== undefined && ageOf(before.source).age === ageOf(file.source).age + 1;
      // One that begins a run continues nothing, whatever it is called.
      if (!isNext || part === undefined || part === 0) older = [];
      for (const one of older) moved.add(one);
      if (older.length > 0)
        joined.set(
          file,
          older.map(({ source }) => source),
        );
      if (part !== undefined) older.push(file);
    }
  }
  return files.flatMap((file) => {
    const older = joined.get(file);
    if (moved.has(file)) return [];
    return older === undefined ? file : { ...file, older };
  });
}

/** Files whose names differ in their age alone, the oldest first. */
function filesByName(files: readonly FoundFile[]): FoundFile[][] {
  const byName = new Map<string, FoundFile[]>();
  for (const file of files) {
    // A pipe has no size, and can be read only once.
    if (file.bytes === 0) continue;
    const { name } = ageOf(file.source);
    byName.set(name, [...(byName.get(name) ?? []), file]);
  }
  return [...byName.values()].flatMap((alike) => {
    const ages = new Set(alike.map(({ source }) => ageOf(source).age));
    // A file and its packed copy hold the same.
    if (alike.length === 1 || ages.size < alike.length) return [];
    return [alike.toSorted((a, b) => ageOf(b.source).age - ageOf(a.source).age)];
  });
}

/** The recording that a file belongs to, and how many files ago it was the file of that name. */
function ageOf(source: string): { name: string; age: number } {
  const path = source.replace(/\.gz$/, '');
  const [, name = path, age = '0', extension = ''] = OLDER.exec(path) ?? [];
  return { name: `${name}${extension}`, age: Number(age) };
}

/** Which part of its run a file begins with; `undefined` if no recorder wrote it. */
async function partIn(source: string): Promise<number | undefined> {
  const options = { broken: () => {}, limits: LIMITS };
  const input = await openInput(source, options).catch(() => undefined);
  if (input === undefined) return undefined;
  // What was opened is closed once somebody has begun to read it.
  for await (const _ of input.bytes()) break;
  const { record, part } = fieldsOf(input.head.values[0]) ?? {};
  return record === 'header' && typeof part === 'number' ? part : undefined;
}
