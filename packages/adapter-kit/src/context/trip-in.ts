import { isTripped, type Trip } from '@teamfuse/core';

/** The trip that an error stands for: the error itself, or one of its causes, is a refusal. */
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

/** An error may be anything that was thrown, a proxy that has been revoked included. */
function causeOf(error: object): unknown {
  try {
    return 'cause' in error ? error.cause : undefined;
  } catch {
    return undefined;
  }
}
