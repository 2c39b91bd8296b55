import type { FindingKind } from '@teamfuse/core';

const MEANING: Readonly<Partial<Record<FindingKind, string>>> = {
  'speaker-cycle': 'The same speakers take turns, and hardly anything new is said.',
  repetition: 'The same is said, asked or called again, with the same result.',
  'execution-storm': 'Code or tools fail in the same way, time after time.',
  'history-drift': 'What each turn costs in history grows out of proportion.',
  'nested-cascade': 'Nested chats are started again and again, or ever deeper.',
  budget: 'The next call would have cost more than was left.',
  'context-window': 'The next call would not have fitted the window of the model.',
  rate: 'Steps follow each other faster than they should.',
  limit: 'A limit that was set is reached.',
};

/** What a kind of trip means, for somebody who has never seen it. */
export function meaningOf(kind: FindingKind): string {
  return MEANING[kind] ?? '';
}
