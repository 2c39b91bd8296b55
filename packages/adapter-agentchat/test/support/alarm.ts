import type { Detector } from '@teamfuse/core/detectors';

/** A detector that finds something whenever a word is said. */
export function alarm(word: string, level: 'trip' | 'warn' = 'trip'): Detector {
  return {
    kind: 'custom:word',
    observe: ({ signal, index }) =>
      signal.kind === 'message' && signal.text.includes(word)
        ? {
            level,
            kind: 'custom:word',
            reason: `somebody said ${word}`,
            evidence: { agents: [signal.agent], indices: [index], count: 1, limit: 1 },
          }
        : undefined,
    reset: () => {},
    snapshot: () => null,
    restore: () => {},
  };
}
