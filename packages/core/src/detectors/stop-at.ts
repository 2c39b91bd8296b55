import type { AnalyzedSignal } from '../analysis/analyzed-signal.ts';
import type { Suspicion } from '../analysis/suspicion.ts';
import type { Finding } from '../finding.ts';
import { NUDGE_SHARE, STOP_AT } from '../judgement.ts';
import type { NumberOption, OptionTable } from '../option-table.ts';

/** When suspicion stops or warns the team. */
export interface SuspicionOptions {
  /**
   * Suspicion score that stops the team; a lower one stops it sooner.
   * @defaultValue 10
   */
  readonly stopAt?: number;
  /**
   * Warn at two thirds of `stopAt`.
   * @defaultValue false
   */
  readonly nudge?: boolean;
}

export const STOP_AT_OPTION: NumberOption & { readonly default: number } = {
  type: 'number',
  min: 0,
  default: STOP_AT,
  isScaled: true,
};

export const SUSPICION_OPTIONS: OptionTable<SuspicionOptions> = {
  stopAt: { ...STOP_AT_OPTION, tried: [6, 10, 16] },
  nudge: { type: 'flag', default: false },
};

/** The score that trips: 1.5 times `stopAt` for more than two agents. */
export function stopAtOf({ agents }: Pick<Suspicion, 'agents'>, stopAt: number): number {
  return agents.length > 2 ? 1.5 * stopAt : stopAt;
}

/** Whether the suspicion after a step trips, warns or does neither. */
export function levelOf(
  { suspicion, staleness = 0 }: AnalyzedSignal,
  { stopAt, nudge }: Required<SuspicionOptions>,
): Finding['level'] | undefined {
  const limit = stopAtOf(suspicion, stopAt);
  if (staleness === 0) return undefined;
  if (suspicion.score >= limit) return 'trip';
  return nudge && suspicion.score >= NUDGE_SHARE * limit ? 'warn' : undefined;
}
