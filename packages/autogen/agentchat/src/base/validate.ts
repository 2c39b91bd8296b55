import type { z } from 'zod';
import { ValidationError } from './errors.ts';

/**
 * Passes data through a schema.
 *
 * @throws {@link ValidationError} headed by `title`, with every fault and its place.
 */
export function validate<T>(schema: z.ZodType<T>, data: unknown, title: string): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new ValidationError(
    title,
    result.error.issues.map((issue) => ({ loc: placeOf(issue), message: issue.message })),
  );
}

/** A tag that no member of a union has is the fault of the whole value, as AutoGen reports it. */
function placeOf(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  const isTag = issue.code === 'invalid_union' && 'discriminator' in issue;
  return isTag ? issue.path.slice(0, -1) : issue.path;
}
