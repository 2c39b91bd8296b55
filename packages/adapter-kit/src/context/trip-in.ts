import { isTripped, type Trip } from '@teamfuse/core';

/** The trip behind an error, if the error or one of its causes is a refusal. */
export function tripIn(error: unknown): Trip | undefined {
  const seen = new Set<unknown>();
  let current = error;
  while (typeof current === 'object' && current !== null && !seen.has(current)) {
    if (isTripped(current)) return current.trip;
    seen.add(current);
    current = causeOf(current);
  }
  return undefined;
}

/** Anything can be thrown, even a revoked proxy. */
function causeOf(error: object): unknown {
  try {
    return 'cause' in error ? error.cause : undefined;
  } catch {
    return undefined;
  }
}
