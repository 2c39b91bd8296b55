import type { Trip } from '@teamfuse/core';

/**
 * Why a trip was not told: the server refused it, every attempt to reach the server failed, or too many trips waited.
 */
export type NotifyErrorCode = 'REFUSED' | 'UNREACHABLE' | 'DROPPED';

/** A trip was not told. The message repeats neither the address nor the secret. */
export class NotifyError extends Error {
  override readonly name = 'NotifyError';
  readonly code: NotifyErrorCode;
  /** The trip, so that it can be told in another way. */
  readonly trip: Trip;
  /** The status of the last answer; missing if there was none. */
  readonly status?: number;

  constructor(code: NotifyErrorCode, problem: string, trip: Trip, status?: number) {
    super(`a trip was not told: ${problem}`);
    this.code = code;
    this.trip = trip;
    if (status !== undefined) this.status = status;
  }
}
