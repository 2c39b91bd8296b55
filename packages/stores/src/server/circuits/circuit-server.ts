import type { CircuitEvent } from '@teamfuse/core/sharing';
import type { NoteOptions } from '../../agreement.ts';
import type { StoredChange, StoredCircuit } from '../../fleet/circuit-store.ts';

/** What has changed since a number of changes. */
export interface Changes {
  readonly version: number;
  /** Whether all circuits that are not told are closed. */
  readonly isAll: boolean;
  readonly changes: readonly StoredChange[];
}

/** A change that is asked for. */
export interface CircuitChange {
  readonly id: string;
  readonly event: CircuitEvent;
  readonly cooldownMs: number;
  /** Milliseconds for which a circuit that is not closed is kept after its last change. */
  readonly openMs: number;
  /** The same of one that is closed, so that each process hears of it. */
  readonly closedMs: number;
}

/** A server that keeps circuits, and whose clock counts. */
export interface CircuitServer {
  /** Applies an event as `transition()` of core does. */
  apply(change: CircuitChange): Promise<StoredCircuit>;
  since(version: number): Promise<Changes>;
  /** Notes with which options a process uses the circuits, and gives those of the processes before it. */
  readonly agree: NoteOptions;
}
