import type { ComponentClass } from '@teamfuse/agentchat';
import type { RepetitionOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when the same is said, asked or called again and again with nothing new in between.
 */
export class RepetitionTermination extends DetectorTermination {
  static readonly component: ComponentClass<RepetitionTermination> = detectorCondition(
    'RepetitionTermination',
    (options) => new RepetitionTermination(options),
  );
  override readonly label = 'RepetitionTermination';

  constructor(options: RepetitionOptions = {}) {
    super('repetition', options);
  }
}
