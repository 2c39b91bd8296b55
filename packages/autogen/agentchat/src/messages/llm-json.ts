import type {
  FunctionCall,
  FunctionExecutionResult,
  ImagePart,
  LLMMessage,
} from '@teamfuse/models';
import { z } from 'zod';
import type { JsonObject, JsonValue } from '../base/json.ts';

const functionCall = z.object({ id: z.string(), arguments: z.string(), name: z.string() });
const functionResult = z
  .object({
    content: z.string(),
    name: z.string(),
    call_id: z.string(),
    is_error: z.boolean().nullable().default(null),
  })
  .transform(({ call_id, is_error, ...rest }) => ({ ...rest, callId: call_id, isError: is_error }));
const image = z.object({ data: z.string() });
const thought = z.string().nullable().default(null);

/** Schema of the JSON form of function calls. */
export const functionCallsJson: z.ZodType<FunctionCall[]> = z.array(functionCall);

/** Schema of the JSON form of function results. */
export const functionResultsJson: z.ZodType<FunctionExecutionResult[]> = z.array(functionResult);

/** Schema of the JSON form of texts mixed with images. */
export const partsJson: z.ZodType<(string | ImagePart)[]> = z.array(z.union([z.string(), image]));

/** Schema of the JSON form of a message to or from a model. */
export const llmMessageJson: z.ZodType<LLMMessage> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('SystemMessage'), content: z.string() }),
  z.object({
    type: z.literal('UserMessage'),
    content: z.union([z.string(), partsJson]),
    source: z.string(),
  }),
  z.object({
    type: z.literal('AssistantMessage'),
    content: z.union([z.string(), functionCallsJson]),
    thought,
    source: z.string(),
  }),
  z.object({ type: z.literal('FunctionExecutionResultMessage'), content: functionResultsJson }),
]);

/** The JSON form of a function call. */
export function functionCallToJson({ id, arguments: args, name }: FunctionCall): JsonObject {
  return { id, arguments: args, name };
}

/** The JSON form of a function result. */
export function functionResultToJson(result: FunctionExecutionResult): JsonObject {
  const { content, name, callId, isError = null } = result;
  return { content, name, call_id: callId, is_error: isError };
}

/** The JSON form of a text or an image. */
export function partToJson(part: string | ImagePart): JsonValue {
  return typeof part === 'string' ? part : { data: part.data };
}

/** The JSON form of a message to or from a model. */
export function llmMessageToJson(message: LLMMessage): JsonObject {
  const { type } = message;
  switch (type) {
    case 'SystemMessage':
      return { content: message.content, type };
    case 'UserMessage': {
      const { content, source } = message;
      return {
        content: typeof content === 'string' ? content : content.map(partToJson),
        source,
        type,
      };
    }
    case 'AssistantMessage': {
      const { content, thought = null, source } = message;
      const answer = typeof content === 'string' ? content : content.map(functionCallToJson);
      return { content: answer, thought, source, type };
    }
    case 'FunctionExecutionResultMessage':
      return { content: message.content.map(functionResultToJson), type };
  }
}
