import type { ComponentClass } from '@teamfuse/agentchat';
import type { SpeakerCycleOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when the same ring of speakers comes round again and again and says nothing new.
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
