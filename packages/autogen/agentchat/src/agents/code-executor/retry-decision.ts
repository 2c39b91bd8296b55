import type { JsonOutputSchema } from '@teamfuse/models';
import { z } from 'zod';
import { checkedJson } from '../../tools/checked.ts';

/** Whether the model wants another attempt, and why. */
export interface RetryDecision {
  readonly retry: boolean;
  readonly reason: string;
}

/** Some models write `"true"` instead of `true`. */
const decision = z.object({ reason: z.string(), retry: z.union([z.boolean(), z.stringbool()]) });

/** Output format requested from the model. */
export const RETRY_DECISION: JsonOutputSchema = {
  name: 'RetryDecision',
  schema: {
    type: 'object',
    properties: { reason: { type: 'string' }, retry: { type: 'boolean' } },
    required: ['reason', 'retry'],
    additionalProperties: false,
  },
};

/** Reads the model's answer. */
export async function readRetryDecision(text: string): Promise<RetryDecision> {
  return checkedJson(decision, text, RETRY_DECISION.name);
}
