import type { Trip } from '@teamfuse/core';

/** Whether one member that a guard taps is watched as it should be. */
export interface TapCheck {
  /** Whose member: `agent 'writer'`. */
  readonly owner: string;
  readonly member: string;
  readonly isWorking: boolean;
  /** What is wrong; missing when all is well. */
  readonly problem?: string;
}

/** What a guard has found out about itself. */
export interface SelfTestReport {
  /** Whether a known loop was noticed and every tap refuses what comes after it. */
  readonly isPassed: boolean;
  readonly checks: readonly TapCheck[];
}

/** A guard that is installed on a team. */
export interface Guard {
  /** Why the circuit is not closed; `undefined` while it is. */
  readonly trip: Trip | undefined;
  /** Takes all taps off. Harmless when said twice; a run under way goes on unwatched. */
  uninstall(): void;
  /**
   * Feeds a known loop through the taps and sees whether it is noticed and what follows is refused.
   *
   * Neither the team's breaker nor its models, tools and programs take part in it.
   */
  selfTest(): Promise<SelfTestReport>;
}
