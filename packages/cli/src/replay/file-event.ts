import type { Replayed } from './replay.ts';

/** What happens while a file is replayed. Plain data, so that it can come from another thread. */
export type FileEvent =
  | { readonly kind: 'replayed'; readonly replayed: Replayed }
  | BrokenEvent
  /** The file cannot be read, or not to its end. */
  | {
      readonly kind: 'failed';
      readonly source: string;
      readonly problem: string;
      /** Whether it is of no known format. */
      readonly isUnknown: boolean;
    };

/** Something in a file that is left out. */
export interface BrokenEvent {
  readonly kind: 'broken';
  readonly source: string;
  /** From 1; 0 where no line is known. */
  readonly line: number;
  readonly problem: string;
  /** How many are left out. */
  readonly count: number;
}
