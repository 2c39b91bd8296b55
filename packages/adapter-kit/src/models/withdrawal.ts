import type { ModelRequestSignal, UsageSignal } from '@teamfuse/core';

/** The usage of a model call that is not made, which releases its reservation. */
export function withdrawal(
  { agent, model, requestId, depth }: ModelRequestSignal,
  at: number,
): UsageSignal {
  return {
    kind: 'usage',
    at,
    agent,
    model,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: 0,
    error: { message: 'the call was refused', code: 'TRIPPED' },
    ...(requestId !== undefined && { requestId }),
    ...(depth !== undefined && { depth }),
  };
}
