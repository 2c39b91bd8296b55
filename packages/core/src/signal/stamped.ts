import { isRecord } from '../errors.ts';
import type { AdmissionRequest, RequestInput } from './request.ts';
import type { Signal, SignalInput } from './signal.ts';

/** The signal or request, with the time of this clock if it has none. Values that are no objects fail the check that follows. */
export function stamped(given: SignalInput, now: () => number): Signal;
export function stamped(given: RequestInput, now: () => number): AdmissionRequest;
export function stamped(given: object, now: () => number): object {
  return lacksTime(given) ? { ...given, at: now() } : given;
}

function lacksTime(given: object | null): boolean {
  try {
    return isRecord(given) && given.at === undefined;
  } catch {
    return false;
  }
}
