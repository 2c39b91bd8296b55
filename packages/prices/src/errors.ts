/** Codes of the errors of this package. */
export type PriceErrorCode = 'INVALID_USAGE' | 'INVALID_PRICE' | 'UNKNOWN_PROVIDER';

/** Usage or a price makes no sense; the message names the field. */
export class PriceError extends Error {
  override readonly name = 'PriceError';
  readonly code: PriceErrorCode;

  constructor(code: PriceErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
