import type { Trip } from '@teamfuse/core';
import type { AdmissionRequest, SignalKind } from '@teamfuse/core/kit';

/** The version of what a recording holds. */
export const RECORDING_VERSION = 1;

/** The first line of a run, and of each further file of it. */
export interface HeaderRecord {
  readonly record: 'header';
  readonly version: typeof RECORDING_VERSION;
  /** The run's name, by which its conversations begin. */
  readonly run: string;
  /** Which file of the run it is, from 0. */
  readonly part: number;
  /** When the file was begun, in milliseconds since 1970. */
  readonly at: number;
}

/** A run of a conversation began, which restarts the declared limits. */
export interface RunBeginRecord {
  readonly record: 'run';
  /** The name under which the conversation is recorded. */
  readonly conversation: string;
  /** When it began, in milliseconds as signals have it; by default with its first signal. */
  readonly at?: number;
}

/** A circuit opened. */
export interface TripRecord {
  readonly record: 'trip';
  /** The name under which the conversation is recorded. */
  readonly conversation: string;
  readonly trip: Trip;
}

/** The first step that was refused after a circuit opened, or whose request opened it. It did not happen. */
export interface RefusalRecord {
  readonly record: 'refusal';
  /** The name under which the conversation is recorded. */
  readonly conversation: string;
  readonly request: AdmissionRequest;
}

/** Something that happened, of a breaker with `excerpts: false`: what was said is not recorded. */
export interface WithheldRecord {
  readonly record: 'withheld';
  readonly kind: SignalKind;
  readonly agent: string;
  /** When, in milliseconds as signals have it. */
  readonly at: number;
  /** The name under which the conversation is recorded. */
  readonly conversation: string;
}

/** Counts the lines before this one that could not be written. */
export interface LostRecord {
  readonly record: 'lost';
  readonly count: number;
}
