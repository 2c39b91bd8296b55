import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** JSON schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What comes out of a schema once a value has passed it. */
export type SchemaOutput<TSchema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<TSchema>;

/**
 * The JSON schema of what a schema accepts, asked of the schema itself (zod 4 and others can tell).
 *
 * @throws TypeError when the schema cannot tell; `what` names it in the message.
 */
export function jsonSchemaOf(schema: StandardSchemaV1, what: string): JsonSchema {
  return withoutDialect(converterOf(schema, what).input({ target: 'draft-2020-12' }));
}

/**
 * Like {@link jsonSchemaOf}, with every property required and none besides, as providers ask for where they hold a
 * model strictly to a schema. A schema that transforms what it accepts cannot be told so, and is told as it is.
 */
export function strictJsonSchemaOf(schema: StandardSchemaV1, what: string): JsonSchema {
  const converter = converterOf(schema, what);
  try {
    return withoutDialect(converter.output({ target: 'draft-2020-12' }));
  } catch {
    return jsonSchemaOf(schema, what);
  }
}

function converterOf(schema: StandardSchemaV1, what: string): StandardJSONSchemaV1.Converter {
  const standard: StandardSchemaV1.Props & Partial<StandardJSONSchemaV1.Props> =
    schema['~standard'];
  if (standard.jsonSchema !== undefined) return standard.jsonSchema;
  throw new TypeError(
    `${what}: the schema (vendor ${standard.vendor}) cannot describe itself as JSON schema; give jsonSchema as well`,
  );
}

function withoutDialect({ $schema, ...described }: Record<string, unknown>): JsonSchema {
  return described;
}
