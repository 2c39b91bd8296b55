import type { GuardContext } from '@teamfuse/adapter-kit';

/** What the adapter keeps at a place: whether callbacks hear everything there. */
export interface Local {
  readonly isHeard: true;
}

export type Context = GuardContext<Local>;
