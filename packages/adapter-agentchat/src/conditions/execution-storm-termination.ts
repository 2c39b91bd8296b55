import type { ComponentClass } from '@teamfuse/agentchat';
import type { ExecutionStormOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when code or tools keep failing in the same way.
 *
 * @example
 * ```ts
 * const stop = new MaxMessageTermination(40).or(new ExecutionStormTermination({ limit: 8 }));
 * const team = new RoundRobinGroupChat([writer, critic], { terminationCondition: stop, maxTurns: 2 });
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'Maximum number of turns 2 reached.'
 * ```
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
