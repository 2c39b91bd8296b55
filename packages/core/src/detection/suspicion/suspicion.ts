/** What a team may be suspected of; each is the kind of a detector. */
export const SUSPECTED_KINDS = ['speaker-cycle', 'repetition', 'execution-storm'] as const;

/** The kinds of suspicion. */
export type SuspectedKind = (typeof SUSPECTED_KINDS)[number];

/** How likely a conversation is going in circles. */
export interface Suspicion {
  /** Grows with stale steps, shrinks with new ones; 0 after an entirely new step. */
  readonly score: number;
  /** The kind with the largest share. */
  readonly kind: SuspectedKind;
  /** Index of its first step. */
  readonly since: number;
  /** Index of the latest entirely new step; -1 if none. */
  readonly newsAt: number;
  /** The agents since then, at most four. */
  readonly agents: readonly string[];
}

export const NO_SUSPICION: Suspicion = {
  score: 0,
  kind: 'speaker-cycle',
  since: 0,
  newsAt: -1,
  agents: [],
};

/** The `newsAt` of a suspicion as evidence. */
export function newsOf({ newsAt }: Suspicion): { readonly newsAt?: number } {
  return newsAt < 0 ? {} : { newsAt };
}
