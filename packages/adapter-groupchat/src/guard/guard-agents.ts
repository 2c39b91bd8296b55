import { checkBreaker, describe, type SelfTestReport } from '@teamfuse/adapter-kit';
import { type Breaker, GuardInstallError, type Trip } from '@teamfuse/core';
import { groupOf, isGuardableAgent, isTapped, nameOf, viewOf } from '../context/agent-view.ts';
import { ChatContext } from '../context/chat-context.ts';
import type { GuardOptions } from '../context/chat-options.ts';
import type { GuardableAgent } from '../context/guardable-agent.ts';
import { HookFactory } from './hook-factory.ts';
import { InstalledHooks } from './installed-hooks.ts';
import { selfTest } from './self-test.ts';

/** A guard that is installed on agents. */
export interface Guard {
  /** Why a run was stopped, or the circuit is not closed; `undefined` while the team may go on. */
  readonly trip: Trip | undefined;
  /** The guarded agents. */
  readonly agents: readonly GuardableAgent[];
  /**
   * Guards further agents, such as those that were made later.
   * @throws {@link GuardInstallError} as {@link guardAgents} does.
   */
  add(...agents: readonly GuardableAgent[]): void;
  /**
   * Sends a known loop through the hooks, and checks that it is found and that a turn after it is refused.
   *
   * The guard's breaker, models and histories take no part in it. Other taps on the agents see it pass.
   */
  selfTest(): Promise<SelfTestReport>;
  /** Removes all hooks. Idempotent; a run under way continues unguarded. */
  uninstall(): void;
}

/**
 * Guards agents: tells a breaker what they do, and asks before every turn, model call, tool call, code run and nested chat.
 *
 * Pass every agent that takes part, the managers of groups and the agents of nested chats included. Members of guarded
 * groups that are missing are reported to `onError`.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 60 });
 * const guard = guardAgents([writer, critic, manager], breaker);
 * const result = await writer.initiateChat(manager, { message: 'Write about tides.' });
 * result.stopReason; // null, or why the team was stopped
 * guard.uninstall();
 * ```
 * @throws {@link GuardInstallError} naming the agent and what was expected, with nothing installed.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function guardAgents(
  agents: readonly GuardableAgent[],
  breaker: Breaker,
  options: GuardOptions = {},
): Guard {
  const guard = new AgentsGuard(checkBreaker('the breaker', breaker), options);
  if (!Array.isArray(agents) || agents.length === 0) {
    const received = Array.isArray(agents) ? 'an empty list' : describe(agents);
    throw new GuardInstallError('the agents', `a list of agents, received ${received}`);
  }
  guard.add(...agents);
  return guard;
}

/**
 * Guards agents.
 *
 * @deprecated Use {@link guardAgents}, which takes the agents first.
 */
export function install(
  breaker: Breaker,
  agents: readonly GuardableAgent[],
  options: GuardOptions = {},
): Guard {
  return guardAgents(agents, breaker, options);
}

class AgentsGuard implements Guard {
  readonly #context: ChatContext;
  readonly #factory: HookFactory;
  readonly #installed: Map<object, InstalledHooks> = new Map();

  constructor(breaker: Breaker, options: GuardOptions) {
    this.#context = new ChatContext(breaker, options);
    this.#factory = new HookFactory(this.#context);
  }

  get trip(): Trip | undefined {
    return this.#context.trip;
  }

  get agents(): readonly GuardableAgent[] {
    return [...this.#installed.keys()] as GuardableAgent[];
  }

  add(...agents: readonly GuardableAgent[]): void {
    const context = this.#context;
    if (!context.isActive) {
      throw new GuardInstallError(
        'the agents',
        'a guard that is not uninstalled; use guardAgents()',
      );
    }
    const distinct = [...new Set(agents)];
    for (const [index, agent] of distinct.entries()) this.#check(agent, index);
    const added: InstalledHooks[] = [];
    try {
      for (const agent of distinct) added.push(this.#install(agent));
    } catch (error) {
      for (const hooks of added) hooks.remove();
      throw error;
    }
    if (this.#installed.size === 0) context.listen();
    for (const hooks of added) {
      const { agent } = hooks;
      this.#installed.set(agent, hooks);
      context.shared.guarded.add(agent);
      if (isTapped(agent) || agent.registerHook) this.#factory.untappedSpeech.hears(agent.name);
    }
    this.#reportUnguarded();
  }

  uninstall(): void {
    this.#context.close();
    for (const [agent, hooks] of this.#installed) {
      hooks.remove();
      this.#context.shared.guarded.delete(agent);
    }
    this.#installed.clear();
  }

  selfTest(): Promise<SelfTestReport> {
    return selfTest(this.#context, [...this.#installed.values()], this.#unguarded());
  }

  #install(agent: GuardableAgent): InstalledHooks {
    const view = viewOf(agent);
    const keepAllInFront = (): void => {
      for (const hooks of this.#installed.values()) hooks.keepInFront();
    };
    return new InstalledHooks(view, this.#factory.hooksFor(view, keepAllInFront));
  }

  /** The names of members of guarded groups that this breaker does not guard. */
  #unguarded(): readonly string[] {
    const { guarded } = this.#context.shared;
    const members = [...this.#installed.keys()].flatMap((agent) => groupOf(agent) ?? []);
    return [...new Set(members.filter((member) => !guarded.has(member)).map(nameOf))];
  }

  #reportUnguarded(): void {
    const names = this.#unguarded();
    if (names.length === 0) return;
    const text = `members of guarded groups are not guarded: ${names.join(', ')}`;
    this.#context.report('observe', new Error(text));
  }

  #check(agent: GuardableAgent, index: number): void {
    const name = nameOf(agent) || `agent ${index + 1}`;
    if (!isGuardableAgent(agent)) {
      throw new GuardInstallError(name, 'an agent with a method registerReply');
    }
    if (nameOf(agent) === '') throw new GuardInstallError(name, 'an agent with a name');
    if (this.#context.shared.guarded.has(agent)) {
      throw new GuardInstallError(name, 'an agent that this breaker does not guard yet');
    }
  }
}
