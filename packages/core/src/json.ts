/** Anything JSON can hold. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Whether `value` is a whole number of at least 0. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Whether `value` is a finite number of at least 0. */
export function isAmount(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}
