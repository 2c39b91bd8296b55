import type { GuardContext } from '@teamfuse/adapter-kit';

/** What the adapter knows of one run of an agent. */
export interface Progress {
  /** The name of the agent whose turn it is. Hand-offs change it. */
  agent: string;
  /** Whether there is an answer that would be lost. */
  hasAnswer: boolean;
  /** The id of the last answer, by which the provider can be asked to go on. */
  responseId?: string | undefined;
  /** The objects that have taps for this run. */
  readonly held: Set<object>;
}

export type Context = GuardContext<Progress>;
