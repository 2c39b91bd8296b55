/** Codes of the errors of this package. */
export type PriceErrorCode =
  | 'INVALID_OPTION'
  | 'INVALID_USAGE'
  | 'INVALID_PRICE'
  | 'UNKNOWN_PROVIDER';

/** Usage or a price makes no sense; the message names the field. */
export class PriceError extends Error {
  override readonly name = 'PriceError';
  readonly code: PriceErrorCode;

  constructor(code: PriceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const SHOWN_LENGTH = 80;

/** A wrong value as an error message shows it. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return JSON.stringify(value.slice(0, SHOWN_LENGTH));
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return String(value);
  }
  return `a value of type ${typeof value}`;
}

/** Runs what reads a value from outside: whatever such a value throws becomes an error that names it. */
export function reading<T>(
  code: PriceErrorCode,
  field: string,
  expected: string,
  value: unknown,
  read: () => T,
): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof PriceError) throw error;
    throw new PriceError(code, `${field}: expected ${expected}, received ${shown(value)}`);
  }
}
