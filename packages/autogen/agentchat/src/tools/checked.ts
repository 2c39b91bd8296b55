import type { StandardSchemaV1 } from '@standard-schema/spec';
import { parseJson } from '@teamfuse/python-compat';
import { ValidationError } from '../base/errors.ts';
import type { SchemaOutput } from './schema.ts';

/**
 * Validates a value with any Standard Schema.
 *
 * @throws {@link ValidationError} headed by `title`, with every fault and its place.
 */
export async function checked<TSchema extends StandardSchemaV1>(
  schema: TSchema,
  value: unknown,
  title: string,
): Promise<SchemaOutput<TSchema>> {
  const result = await schema['~standard'].validate(value);
  if (result.issues === undefined) return result.value as SchemaOutput<TSchema>;
  throw new ValidationError(
    title,
    result.issues.map(({ message, path = [] }) => ({
      loc: path.map((segment) => (typeof segment === 'object' ? segment.key : segment)),
      message,
    })),
  );
}

/** Like {@link checked}, for JSON text. */
export async function checkedJson<TSchema extends StandardSchemaV1>(
  schema: TSchema,
  text: string,
  title: string,
): Promise<SchemaOutput<TSchema>> {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    const message = `Invalid JSON: ${error instanceof Error ? error.message : error}`;
    throw new ValidationError(title, [{ loc: [], message }], { cause: error });
  }
  return checked(schema, value, title);
}
