/** The kinds of suspicion that the measures alone can give. */
export type SuspectedKind = 'speaker-cycle' | 'repetition' | 'execution-storm' | 'history-drift';

/** How likely a conversation goes in circles, by its measures. */
export interface Suspicion {
  /** Grows with what is stale, shrinks with what is new; 0 after real progress. */
  readonly score: number;
  /** The kind of its largest share. */
  readonly kind: SuspectedKind;
  /** Index of the first step that it comes from. */
  readonly since: number;
  /** The agents since then, each once; four at most. */
  readonly agents: readonly string[];
}

export const NO_SUSPICION: Suspicion = { score: 0, kind: 'speaker-cycle', since: 0, agents: [] };
