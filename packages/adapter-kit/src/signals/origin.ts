/** The fields that all signals share. */
export interface Origin {
  readonly at: number;
  readonly agent: string;
  /** Missing at the outermost level. */
  readonly depth?: number;
}

/** Who, when and how deep. */
export function originOf(agent: string, at: number, depth: number): Origin {
  return depth === 0 ? { at, agent } : { at, agent, depth };
}
