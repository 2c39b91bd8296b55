import { InvalidSnapshotError } from '../common/errors.ts';

const MAX_DEPTH = 64;
/** Longer than any text in a snapshot. */
const MAX_TEXT = 1_048_576;
const MAX_PARTS = 5_000_000;

/**
 * Checks that a snapshot is plain JSON of bounded size: no getters, no cycles, no NaN or Infinity.
 * @throws {@link InvalidSnapshotError} naming the first part that is not.
 */
export function checkPlain(snapshot: unknown): void {
  let parts = 0;
  const check = (path: string, value: unknown, depth: number): void => {
    if (++parts > MAX_PARTS)
      throw new InvalidSnapshotError(path, `at most ${MAX_PARTS} values in all`, value);
    if (value === null || typeof value === 'boolean') return;
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new InvalidSnapshotError(path, 'a finite number', value);
      return;
    }
    if (typeof value === 'string') {
      if (value.length <= MAX_TEXT) return;
      throw new InvalidSnapshotError(path, `at most ${MAX_TEXT} characters`, value);
    }
    if (typeof value !== 'object') throw new InvalidSnapshotError(path, 'JSON', value);
    if (depth === MAX_DEPTH) {
      throw new InvalidSnapshotError(path, `at most ${MAX_DEPTH} levels`, value);
    }
    if (Array.isArray(value)) {
      for (let i = 0; i < value.length; i++) check(`${path}[${i}]`, value[i], depth + 1);
      return;
    }
    for (const name of Object.keys(value)) {
      const own = Object.getOwnPropertyDescriptor(value, name);
      const part = path === '' ? name : `${path}.${name}`;
      if (own?.get !== undefined) throw new InvalidSnapshotError(part, 'JSON', undefined);
      // A field that is missing may be written as undefined.
      if (own?.value !== undefined) check(part, own.value, depth + 1);
    }
  };
  check('', snapshot, 0);
}
