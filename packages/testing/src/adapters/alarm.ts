import type { Finding, Signal } from '@teamfuse/core';
import type { Detector } from '@teamfuse/core/detectors';

/** The kind of finding that the contract's detector has. */
const ALARM = 'custom:alarm';

/** The reason of every finding of the contract's detector. */
export const ALARM_REASON = 'the alarm was set off';

/** A function that creates a detector which finds something whenever a signal is such a one. */
export function alarmOn(
  isAlarming: (signal: Signal) => boolean,
  level: Finding['level'] = 'trip',
): () => Detector {
  return () => ({
    kind: ALARM,
    observe: ({ signal, index }) =>
      isAlarming(signal)
        ? {
            level,
            kind: ALARM,
            reason: ALARM_REASON,
            basis: 'certain',
            evidence: { agents: [signal.agent], indices: [index], count: 1, limit: 1 },
          }
        : undefined,
    reset: () => {},
    snapshot: () => null,
    restore: () => {},
  });
}

/** Whether a signal has this text. */
export function says(text: string): (signal: Signal) => boolean {
  return (signal) => signal.kind === 'message' && signal.text === text;
}
