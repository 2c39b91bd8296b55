import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';

/** JSON schema, as plain data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** The output type of a schema. */
export type SchemaOutput<TSchema extends StandardSchemaV1> = StandardSchemaV1.InferOutput<TSchema>;

/**
 * The JSON schema of a schema's input, provided by the schema itself (zod 4 and others support this).
 *
 * @throws TypeError when the schema does not support it; `what` names the schema in the message.
 */
export function jsonSchemaOf(schema: StandardSchemaV1, what: string): JsonSchema {
  return withoutDialect(converterOf(schema, what).input({ target: 'draft-2020-12' }));
}

/**
 * Like {@link jsonSchemaOf}, with all properties required and no others allowed, as providers demand for strict
 * schemas. For a schema that transforms its input this falls back to {@link jsonSchemaOf}.
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
