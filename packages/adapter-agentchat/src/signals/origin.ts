/** What all signals of one item share. */
export interface Origin {
  readonly at: number;
  readonly agent: string;
  /** Left out at the outermost level. */
  readonly depth?: number;
}

/** Who did something, when, and how deep. */
export function originOf(agent: string, at: number, depth: number): Origin {
  return depth === 0 ? { at, agent } : { at, agent, depth };
}
