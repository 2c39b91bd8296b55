import { hashText, mixHash } from '../../common/hash.ts';
import type { Signal } from '../../signal/signal.ts';
import { type Codec, count, list, number, record } from '../../state/codec.ts';
import { type CommandHash, hashes } from '../hashes.ts';

export const MAX_INDICES = 1000;
/** How far apart clocks may read the same moment, in milliseconds. */
const CLOCK_MS = 2;

/** Consecutive failures of one target. */
export interface Row {
  /** When the latest failed. */
  readonly at: number;
  /** When the first of those that were sent side by side with it began, and failed. */
  readonly began: number;
  readonly failedAt: number;
  /** Failures that followed each other without a pause. */
  readonly hasty: readonly number[];
  /** The latest consecutive refusals. */
  readonly refused: readonly number[];
  /** How many of the latest refusals came without a wait. */
  readonly unwaited: number;
  readonly command: CommandHash;
  readonly signature: number;
  /** Whose model it is; 0 for anything else. */
  readonly asker: number;
  /** Index of the latest failure. */
  readonly index: number;
}

export const ROW: Codec<Row> = record<Row>({
  at: number,
  began: number,
  failedAt: number,
  hasty: list(count, MAX_INDICES),
  refused: list(count, MAX_INDICES),
  unwaited: count,
  command: hashes<CommandHash>(),
  signature: number,
  asker: number,
  index: count,
});

/** Whether a call began before the one before had failed, or with it, unless somebody has thought in between. */
export function isSideBySide(
  { began, failedAt }: Row,
  laterBegan: number,
  hasThought: boolean,
): boolean {
  return laterBegan < failedAt - CLOCK_MS || (!hasThought && laterBegan <= began + CLOCK_MS);
}

/** Whether somebody may have thought about what to do next. */
export function isThought({ kind }: Signal): boolean {
  return kind === 'model-request' || kind === 'usage' || kind === 'message';
}

/** The key of the row of what an agent tries. */
export function rowKey({ agent }: Signal, target: string): number {
  return mixHash(hashText(agent), hashText(target));
}
