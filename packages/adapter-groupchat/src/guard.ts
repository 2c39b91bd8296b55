import type { Breaker, Trip } from '@teamfuse/core';
import type { GuardOptions } from './guard-options.ts';
import type { GuardableAgent } from './guardable-agent.ts';
import type { SelfTestReport } from './self-test-report.ts';
import { TeamGuard } from './team-guard.ts';

/** What {@link install} put on the agents of a team. */
export interface Guard {
  /** Why the team was stopped, or is stopped still; `undefined` while it may go on. */
  readonly trip: Trip | undefined;
  /** The agents under guard. */
  readonly agents: readonly GuardableAgent[];
  /**
   * Takes further agents under guard, such as those that were made later.
   * @throws {@link GuardInstallError} as {@link install} does.
   */
  add(...agents: readonly GuardableAgent[]): void;
  /**
   * Proves the wiring: sends a loop between two made-up agents through what is installed, to a breaker of its own.
   *
   * Nothing of it reaches a history, a model or this guard's breaker. Other taps on the agents see it pass.
   * @throws {@link GuardInstallError} naming the first agent whose wiring is broken.
   */
  selfTest(): Promise<SelfTestReport>;
  /** Takes everything off the agents again. Harmless when said twice. */
  uninstall(): void;
}

/**
 * Guards agents with a breaker: it hears all they do, and is asked before each thing they begin.
 *
 * Give it every agent that takes part, the managers of groups and the agents of nested chats included.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 60 });
 * const guard = install(breaker, [writer, critic, manager]);
 * const result = await writer.initiateChat(manager, { message: 'Write about tides.' });
 * result.stopReason; // => null, or why the team was stopped
 * guard.uninstall();
 * ```
 * @throws {@link GuardInstallError} naming the agent and what it lacks. Nothing is left on any agent then.
 * @throws {@link InvalidOptionError} naming the option, what it may be and what it was.
 */
export function install(
  breaker: Breaker,
  agents: readonly GuardableAgent[],
  options: GuardOptions = {},
): Guard {
  const guard = new TeamGuard(breaker, options);
  guard.add(...agents);
  return guard;
}
