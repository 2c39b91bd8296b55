/**
 * Whether an error is a guard's refusal: it, or an error it was made from, has the code `TRIPPED`.
 *
 * A refusal ends the turn. It never becomes a tool result and never causes a retry, because the model would then
 * repeat the refused step. It is recognised by its shape, so that a guard need not import this package.
 */
export function isRefusal(error: unknown): boolean {
  return refusalReason(error) !== undefined;
}

/** The reason a guard's refusal gives; `undefined` for any other error. */
export function refusalReason(error: unknown): string | undefined {
  const seen = new Set<unknown>();
  let current = error;
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    if ('code' in current && current.code === 'TRIPPED') {
      return 'message' in current ? String(current.message) : 'refused by a guard';
    }
    seen.add(current);
    current = 'cause' in current ? current.cause : undefined;
  }
  return undefined;
}
