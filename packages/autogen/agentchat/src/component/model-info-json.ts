import type { ModelInfo } from '@teamfuse/models';
import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';

/** Schema of the JSON form of a model's capabilities. */
export const modelInfoJson: z.ZodType<ModelInfo> = z
  .object({
    vision: z.boolean(),
    function_calling: z.boolean(),
    json_output: z.boolean(),
    // Older versions of AutoGen do not write it.
    structured_output: z.boolean().default(false),
    family: z.string(),
    multiple_system_messages: z.boolean().nullable().optional(),
  })
  .transform((info) => ({
    vision: info.vision,
    functionCalling: info.function_calling,
    jsonOutput: info.json_output,
    structuredOutput: info.structured_output,
    family: info.family,
    ...(typeof info.multiple_system_messages === 'boolean' && {
      multipleSystemMessages: info.multiple_system_messages,
    }),
  }));

/** The JSON form of a model's capabilities. */
export function modelInfoToJson(info: ModelInfo): JsonObject {
  return {
    vision: info.vision,
    function_calling: info.functionCalling,
    json_output: info.jsonOutput,
    family: info.family,
    structured_output: info.structuredOutput,
    ...(info.multipleSystemMessages !== undefined && {
      multiple_system_messages: info.multipleSystemMessages,
    }),
  };
}
