import type { z } from 'zod';
import { ValidationError } from './errors.ts';

/**
 * Passes data through a schema.
 *
 * @throws {@link ValidationError} headed by `title`, with what is wrong and where.
 */
export function validate<T>(schema: z.ZodType<T>, data: unknown, title: string): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw new ValidationError(
    title,
    result.error.issues.map(({ path, message }) => ({ loc: path, message })),
  );
}
