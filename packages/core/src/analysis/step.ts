import type { Signal } from '../signal.ts';

/**
 * A signal with its place in the conversation and what has been read out of it once for all detectors.
 */
export interface Step {
  /** Position in the conversation, from 0. */
  readonly index: number;
  readonly signal: Signal;
  /** Whether it brought something the conversation had not had before. */
  readonly isProgress: boolean;
}
