import type { ComponentClass } from '@teamfuse/agentchat';
import type { SpeakerCycleOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when the same ring of speakers comes round again and again and says nothing new.
 *
 * @example
 * ```ts
 * const stop = new MaxMessageTermination(40).or(new SpeakerCycleTermination({ limit: 4 }));
 * const team = new RoundRobinGroupChat([writer, critic], { terminationCondition: stop, maxTurns: 2 });
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'Maximum number of turns 2 reached.'
 * ```
 */
export class SpeakerCycleTermination extends DetectorTermination {
  static readonly component: ComponentClass<SpeakerCycleTermination> = detectorCondition(
    'SpeakerCycleTermination',
    (options) => new SpeakerCycleTermination(options),
  );
  override readonly label = 'SpeakerCycleTermination';

  constructor(options: SpeakerCycleOptions = {}) {
    super('speakerCycle', options);
  }
}
