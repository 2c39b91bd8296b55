import { VectorError } from '../messages/raised-error.ts';
import type { ErrorSpec, Scripted } from '../vector.ts';

/** Gives one result after the other, then the last one again and again. */
export function scripted<T>(results: readonly Scripted<T>[]): () => T {
  let at = 0;
  return () => {
    const result = results[Math.min(at, results.length - 1)] as Scripted<T>;
    at += 1;
    if (isError(result)) throw new VectorError(result.error);
    return result;
  };
}

function isError(result: unknown): result is { readonly error: ErrorSpec } {
  return typeof result === 'object' && result !== null && 'error' in result;
}
