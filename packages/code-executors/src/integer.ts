import { CodeExecutorError } from './errors.ts';

export const LONGEST_TIMER_MS = 2_147_483_647;

/** `value`, if it is an integer from 1 to `max`. @throws {@link CodeExecutorError} naming `option` */
export function integer(
  option: string,
  value: number,
  max: number = Number.MAX_SAFE_INTEGER,
): number {
  if (Number.isSafeInteger(value) && value >= 1 && value <= max) return value;
  throw new CodeExecutorError(
    'INVALID_OPTION',
    `option '${option}': expected an integer from 1 to ${max}, received ${String(value)}`,
  );
}
