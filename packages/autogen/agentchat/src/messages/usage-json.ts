import type { RequestUsage } from '@teamfuse/models';
import { z } from 'zod';
import type { JsonObject } from '../base/json.ts';

/** Schema of the JSON form of a usage. */
export const usageJson: z.ZodObject<{ prompt_tokens: z.ZodInt; completion_tokens: z.ZodInt }> =
  z.object({ prompt_tokens: z.int(), completion_tokens: z.int() });

/** The JSON form of a usage. */
export function usageToJson(usage: RequestUsage | null): JsonObject | null {
  if (usage === null) return null;
  return { prompt_tokens: usage.promptTokens, completion_tokens: usage.completionTokens };
}

/** Reads a usage from its JSON form. */
export function usageFromJson(
  data: z.output<typeof usageJson> | null | undefined,
): RequestUsage | null {
  if (data === null || data === undefined) return null;
  return { promptTokens: data.prompt_tokens, completionTokens: data.completion_tokens };
}
