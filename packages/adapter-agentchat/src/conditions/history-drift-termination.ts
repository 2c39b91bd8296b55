import type { ComponentClass } from '@teamfuse/agentchat';
import type { HistoryDriftOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when turns cost ever more history and bring nothing new.
 *
 * @example
 * ```ts
 * const stop = new MaxMessageTermination(40).or(new HistoryDriftTermination({ ratio: 4 }));
 * const team = new RoundRobinGroupChat([writer, critic], { terminationCondition: stop, maxTurns: 2 });
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'Maximum number of turns 2 reached.'
 * ```
 */
export class HistoryDriftTermination extends DetectorTermination {
  static readonly component: ComponentClass<HistoryDriftTermination> = detectorCondition(
    'HistoryDriftTermination',
    (options) => new HistoryDriftTermination(options),
  );
  override readonly label = 'HistoryDriftTermination';

  constructor(options: HistoryDriftOptions = {}) {
    super('historyDrift', options);
  }
}
