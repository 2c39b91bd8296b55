import type { ComponentClass } from '@teamfuse/agentchat';
import type { NestedCascadeOptions } from '@teamfuse/core';
import { DetectorTermination, detectorCondition } from './detector-termination.ts';

/**
 * Stops when nested chats are started again and again, too deep, or too many.
 *
 * Sees the chats that tools open. Those of inner teams and societies of mind need `guardTeam`.
 *
 * @example
 * ```ts
 * const stop = new MaxMessageTermination(40).or(new NestedCascadeTermination({ maxDepth: 2 }));
 * const team = new RoundRobinGroupChat([writer, critic], { terminationCondition: stop, maxTurns: 2 });
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'Maximum number of turns 2 reached.'
 * ```
 */
export class NestedCascadeTermination extends DetectorTermination {
  static readonly component: ComponentClass<NestedCascadeTermination> = detectorCondition(
    'NestedCascadeTermination',
    (options) => new NestedCascadeTermination(options),
  );
  override readonly label = 'NestedCascadeTermination';

  constructor(options: NestedCascadeOptions = {}) {
    super('nestedCascade', options);
  }
}
