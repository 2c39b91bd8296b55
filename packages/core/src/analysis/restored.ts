import { InvalidSnapshotError } from '../errors.ts';

/** Checks that a part of a snapshot is an object. @internal */
export function restoredRecord(path: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new InvalidSnapshotError(path, 'an object', value);
}

/** Checks that a part of a snapshot is a list. @internal */
export function restoredList(path: string, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new InvalidSnapshotError(path, 'an array', value);
}

/** Checks that a part of a snapshot is a list of finite numbers. @internal */
export function restoredNumbers(path: string, value: unknown): readonly number[] {
  if (Array.isArray(value) && value.every(Number.isFinite)) return value as number[];
  throw new InvalidSnapshotError(path, 'an array of numbers', value);
}

/** Checks that a part of a snapshot is a finite number. @internal */
export function restoredNumber(path: string, value: unknown): number {
  if (Number.isFinite(value)) return value as number;
  throw new InvalidSnapshotError(path, 'a number', value);
}

/** Checks that a part of a snapshot is text. @internal */
export function restoredText(path: string, value: unknown): string {
  if (typeof value === 'string') return value;
  throw new InvalidSnapshotError(path, 'text', value);
}

/** Checks that a part of a snapshot is true or false. @internal */
export function restoredFlag(path: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  throw new InvalidSnapshotError(path, 'true or false', value);
}
