import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { JsonOutputSchema } from '@teamfuse/models';
import {
  type StructuredFields,
  StructuredMessage,
  structuredMessageClass,
} from '../../messages/chat/structured-message.ts';
import type { ChatItemClass } from '../../messages/message-factory.ts';
import { checkedJson } from '../../tools/checked.ts';
import { type JsonSchema, strictJsonSchemaOf } from '../../tools/schema.ts';

/** The kind of data an agent answers with instead of text. */
export interface OutputContentType {
  /** Name of the kind: its messages are of type `StructuredMessage[{name}]`. */
  readonly name: string;
  /** Checks the model's answer: zod or any Standard Schema of an object. */
  readonly schema: StandardSchemaV1;
  /**
   * JSON schema of the content, for a schema that cannot describe itself.
   * @defaultValue asked of `schema`
   */
  readonly jsonSchema?: JsonSchema | undefined;
}

/** A resolved {@link OutputContentType}. */
export interface OutputContent {
  readonly contentType: OutputContentType;
  /** Output format requested from the model. */
  readonly jsonOutput: JsonOutputSchema;
  readonly messageClass: ChatItemClass;
}

/** Resolves a kind of content. */
export function outputContentOf(contentType: OutputContentType): OutputContent {
  const {
    name,
    schema,
    jsonSchema = strictJsonSchemaOf(schema, `output content ${name}`),
  } = contentType;
  return {
    contentType,
    jsonOutput: { name, schema: jsonSchema },
    messageClass: structuredMessageClass(name),
  };
}

/**
 * Makes a message from the model's answer.
 *
 * @throws {@link ValidationError} when it is not JSON or does not match the schema.
 */
export async function structuredMessage(
  text: string,
  { name: contentName, schema }: OutputContentType,
  fields: Omit<StructuredFields<object>, 'content' | 'contentName'>,
): Promise<StructuredMessage> {
  const content = (await checkedJson(schema, text, contentName)) as object;
  return new StructuredMessage({ ...fields, content, contentName });
}
