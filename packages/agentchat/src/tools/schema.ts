import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** JSON schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A schema that checks a value: any library that speaks Standard Schema. */
export type Schema<TOutput = unknown> = StandardSchemaV1<unknown, TOutput>;

/** What comes out of a schema once a value has passed it. */
export type SchemaOutput<TSchema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<TSchema>;

/**
 * The JSON schema of what a schema accepts, asked of the schema itself (zod 4 and others can tell).
 *
 * @throws TypeError when the schema cannot tell; `what` names it in the message.
 */
export function jsonSchemaOf(schema: StandardSchemaV1, what: string): JsonSchema {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> =
    schema['~standard'];
  if (standard.jsonSchema === undefined) {
    throw new TypeError(
      `${what}: the schema (vendor ${standard.vendor}) cannot describe itself as JSON schema; give jsonSchema as well`,
    );
  }
  const { $schema, ...described } = standard.jsonSchema.input({ target: 'draft-2020-12' });
  return described;
}
