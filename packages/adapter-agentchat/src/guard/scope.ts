import type { ChatItem, Response } from '@teamfuse/agentchat';
import type { Permit, Trip } from '@teamfuse/core';
import type { Drill } from './drill.ts';

/** One run of an outermost team with everything inside it. */
export interface Run {
  /** What ended it. Once set it holds until the run is over, whatever the circuit does meanwhile. */
  trip: Trip | undefined;
  /** Whether a step was refused, so that an error of the run comes from there. */
  isRefused: boolean;
  /** Stands in for breaker and agents while a guard tests itself. */
  readonly drill?: Drill;
}

/** One agent's turn. */
export interface Turn {
  readonly agent: object;
  readonly name: string;
  /** Tool calls that were seen where they happened, by id, or by tool where there is no id. */
  readonly calls: Set<string>;
  /** Whether code was run in it. */
  hasRun: boolean;
  /** Takes in what the agent yields. */
  hear(item: ChatItem | Response): void;
}

/** Where in a run something happens. */
export interface Scope {
  readonly run: Run;
  /** The team, or the agent by itself, that is at work; missing for an agent asked outside of any run. */
  readonly runner?: object;
  readonly depth: number;
  /** Names from the outermost team to the one at work, both included. */
  readonly path: readonly string[];
  readonly turn?: Turn;
  /** The tool that is running. */
  readonly tool?: string;
  /** Leave for the step that this one is a part of. */
  readonly permit?: Permit;
}
