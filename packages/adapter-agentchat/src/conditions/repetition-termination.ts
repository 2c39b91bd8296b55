import type { ComponentClass } from '@teamfuse/agentchat';
import type { RepetitionOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when the same is said, asked or called again and again with nothing new in between.
 *
 * @example
 * ```ts
 * const stop = new MaxMessageTermination(40).or(new RepetitionTermination({ limit: 4 }));
 * const team = new RoundRobinGroupChat([writer, critic], { terminationCondition: stop, maxTurns: 2 });
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'Maximum number of turns 2 reached.'
 * ```
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
