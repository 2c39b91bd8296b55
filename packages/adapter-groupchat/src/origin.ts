/** What all signals have in common. */
export interface Origin {
  readonly at: number;
  readonly agent: string;
  readonly depth: number;
}
