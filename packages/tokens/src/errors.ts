/** A text or a message cannot be counted; the message says what was expected and what came. */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly code = 'INVALID_TEXT';
}

/** @throws {@link TokenError} */
export function checkText(field: string, value: unknown): void {
  if (typeof value === 'string') return;
  const received =
    value === undefined || value === null ? 'nothing' : `a value of type ${typeof value}`;
  throw new TokenError(`${field}: expected text, received ${received}`);
}
