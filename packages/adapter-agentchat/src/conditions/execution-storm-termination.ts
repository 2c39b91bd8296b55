import type { ComponentClass } from '@teamfuse/agentchat';
import type { ExecutionStormOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when code or tools keep failing in the same way.
 */
export class ExecutionStormTermination extends DetectorTermination {
  static readonly component: ComponentClass<ExecutionStormTermination> = detectorCondition(
    'ExecutionStormTermination',
    (options) => new ExecutionStormTermination(options),
  );
  override readonly label = 'ExecutionStormTermination';

  constructor(options: ExecutionStormOptions = {}) {
    super('executionStorm', options);
  }
}
