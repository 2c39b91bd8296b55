import type { Conversation, Trip } from '@teamfuse/core';
import type { Permit } from '@teamfuse/core/kit';
import type { RunTenant } from './for-whom.ts';

/** One outermost run of a team with everything inside it. */
export interface Run {
  readonly conversation: Conversation;
  /** The trip that ended it. It holds until the run is over, even if the circuit closes meanwhile. */
  trip: Trip | undefined;
  /** Why the circuit was not closed when it began; nothing any more once it has opened again. */
  readonly tripBefore?: Trip | undefined;
  /** Whether a step was refused, so that an error of the run comes from there. */
  isRefused: boolean;
  /** Aborts when the run trips. */
  readonly signal: AbortSignal;
  /** Begins a step. Returns the function that ends it. Only runs that are timed by their steps need to know. */
  beginStep?(): () => void;
  /** For whom it is; everybody if missing. */
  readonly tenant?: RunTenant | undefined;
  /** Whether it only wraps up what was done: its model calls may use what the budget keeps back. */
  readonly isWrapUp?: boolean;
  /** What the model is told that gives the last answer after a stop. */
  readonly lastWords?: string;
  /** Whether a guard tests itself with it. */
  readonly isRehearsal?: boolean;
}

/** A place inside a run; `local` belongs to the adapter. */
export interface Scope<L = unknown> {
  readonly run: Run;
  /** 0 for the outermost conversation. */
  readonly depth: number;
  /** Names from the outermost team to the current one, both included. */
  readonly path: readonly string[];
  /** The permit of the step that this place is in. */
  readonly permit?: Permit | undefined;
  /** The agent whose turn it is. */
  readonly agent?: string | undefined;
  /** The tool that is running. */
  readonly tool?: string | undefined;
  readonly local?: L | undefined;
}

/** The place inside a step: the steps there belong to the probe, if it is one. */
export function inside<L>(scope: Scope<L> | undefined, permit: Permit): Scope<L> | undefined {
  return permit.isProbe && scope !== undefined ? { ...scope, permit } : scope;
}
