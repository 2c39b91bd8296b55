import type { LLMMessage } from '@teamfuse/models';

/** Asks whether code may run. */
export interface ApprovalRequest {
  /** All blocks about to run, as Markdown. */
  readonly code: string;
  /** The current context of the agent's model. */
  readonly context: readonly LLMMessage[];
}

/** The answer to an {@link ApprovalRequest}. */
export interface ApprovalResponse {
  readonly approved: boolean;
  readonly reason: string;
}

/** Decides whether code may run: a person, a policy, another model. */
export type ApprovalFunc = (
  request: ApprovalRequest,
) => ApprovalResponse | Promise<ApprovalResponse>;
