import type { RecordedTurn } from '@teamfuse/cli';

/** A recorded conversation. */
export interface Trace {
  readonly id: string;
  readonly outcome: string;
  readonly turns: readonly RecordedTurn[];
}
