/** Codes of the errors of this package. */
export type MeteringErrorCode = 'INVALID_USAGE' | 'INVALID_PRICE' | 'UNKNOWN_PROVIDER';

/** Usage or a price makes no sense; the message names the field. */
export class MeteringError extends Error {
  override readonly name = 'MeteringError';
  readonly code: MeteringErrorCode;

  constructor(code: MeteringErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
