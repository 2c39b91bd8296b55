import type { ChatItem, Response } from '@teamfuse/agentchat';

/** One agent's turn, as the taps inside it see it. */
export interface Turn {
  readonly agent: object;
  /** Tool calls that were observed where they happened, by id, or by tool if there is no id. */
  readonly calls: Set<string>;
  /** Whether code was run in it. */
  hasRun: boolean;
  /** Observes an item that the agent yields. */
  readonly hear: (item: ChatItem | Response) => void;
}

/** The part of a scope that belongs to this adapter. */
export interface Place {
  /** The team, or the agent by itself, at work; missing for an agent asked outside of any run. */
  readonly runner?: object | undefined;
  readonly turn?: Turn | undefined;
}
