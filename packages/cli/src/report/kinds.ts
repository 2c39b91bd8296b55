import { DETECTOR_SPECS, type FindingKind } from '@teamfuse/core/detectors';

const MEANING: Readonly<Record<string, string>> = {
  ...Object.fromEntries(DETECTOR_SPECS.map(({ kind, meaning }) => [kind, meaning])),
  budget: 'The next call would have cost more than was left.',
  'context-window': 'The next call would not have fit the context window of the model.',
  limit: 'A declared limit was reached.',
};

/** What a kind of trip means, for a first-time reader. */
export function meaningOf(kind: FindingKind): string {
  return MEANING[kind] ?? '';
}
