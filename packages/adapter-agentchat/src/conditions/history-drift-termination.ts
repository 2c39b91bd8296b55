import type { ComponentClass } from '@teamfuse/agentchat';
import type { HistoryDriftOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when turns cost ever more history and bring nothing new.
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
