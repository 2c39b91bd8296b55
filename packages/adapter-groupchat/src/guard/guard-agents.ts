import {
  checkBreaker,
  describe,
  type ForWhom,
  type Guard as InstalledGuard,
  otherVersion,
  rehearse,
  type SelfTestReport,
  TapSet,
  whyClaimed,
} from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { nameOf, viewOf } from '../context/agent-view.ts';
import { ChatContext } from '../context/chat-context.ts';
import type { GuardOptions } from '../context/chat-options.ts';
import { groupOf } from '../context/group-of.ts';
import { type GuardableAgent, isGuardableAgent } from '../context/guardable-agent.ts';
import { AgentTaps } from './agent-taps.ts';
import { findModel } from './find-model.ts';
import { heardBy } from './self-test.ts';

/** A guard that is installed on agents. */
export interface Guard extends InstalledGuard {
  /** The guarded agents. */
  readonly agents: readonly GuardableAgent[];
  /**
   * Guards further agents, such as those that were made later.
   * @throws {@link GuardInstallError} as {@link guardAgents} does.
   */
  add(...agents: readonly GuardableAgent[]): void;
}

/**
 * Guards agents: reports what they do to a breaker, and asks before every turn, model call, tool call, code run and nested chat.
 *
 * Pass every agent that takes part, the managers of groups and the agents of nested chats included. Members of guarded
 * groups that are missing are reported to `onError`.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ maxMessages: 60 });
 * const guard = guardAgents([writer, critic, manager], breaker);
 * const result = await writer.initiateChat(manager, { message: 'Write about tides.' });
 * result.stopKind; // 'refused' when the guard stopped the team
 * result.stopReason; // why the chat ended, in words
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
  const count = lengthOf(agents);
  if (count === undefined || count === 0) {
    const received = count === 0 ? 'an empty list' : describe(agents);
    throw new GuardInstallError('the agents', `a list of agents, received ${received}`);
  }
  guard.add(...agents);
  return guard;
}

/** The length of a list; `undefined` for anything else, even if it cannot be read. */
function lengthOf(agents: unknown): number | undefined {
  try {
    return Array.isArray(agents) ? agents.length : undefined;
  } catch {
    return undefined;
  }
}

class AgentsGuard implements Guard {
  readonly #context: ChatContext;
  readonly #taps: TapSet;
  readonly #agentTaps: AgentTaps;

  constructor(breaker: Breaker, options: GuardOptions) {
    this.#context = new ChatContext(breaker, options);
    this.#taps = new TapSet(this.#context);
    this.#agentTaps = new AgentTaps(this.#context);
  }

  get trip(): Trip | undefined {
    return this.#context.trip;
  }

  get agents(): readonly GuardableAgent[] {
    return [...this.#taps.claimed] as GuardableAgent[];
  }

  add(...agents: readonly GuardableAgent[]): void {
    if (!this.#context.isActive) {
      const sentence = 'the guard is uninstalled; call guardAgents() again';
      throw new GuardInstallError('the agents', 'an installed guard', { sentence });
    }
    const distinct = [...new Set(agents)];
    for (const [index, agent] of distinct.entries()) this.#check(agent, index);
    this.#taps.whole(() => {
      for (const agent of distinct) this.#install(agent);
      this.#context.settle(this.#taps.claimed);
      this.#context.lendJudge(findModel(this.agents));
    });
    this.#context.listen();
    this.#reportUnguarded();
  }

  uninstall(): void {
    this.#context.close();
    this.#taps.undo();
  }

  run<T>(whom: ForWhom, work: () => T): T {
    return this.#context.runFor(whom, work);
  }

  wrapUp<T>(work: () => T): T {
    return this.#context.wrapUp(work);
  }

  [Symbol.dispose](): void {
    this.uninstall();
  }

  /** Each agent is tested by itself: a loop through one says nothing of the others. */
  async selfTest(): Promise<SelfTestReport> {
    const context = this.#context;
    const reports: SelfTestReport[] = [];
    for (const agent of this.agents.map(viewOf)) {
      const taps = this.#taps.all.filter(({ target }) => target === agent);
      const round = (): Promise<unknown> =>
        Promise.all(taps.flatMap(({ attempts }) => attempts.map((attempt) => attempt())));
      const local = context.newPlace();
      reports.push(await rehearse(context, { taps, round, speakers: [heardBy(agent)], local }));
    }
    const isPassed = reports.length > 0 && reports.every((report) => report.isPassed);
    const checks = reports.flatMap((report) => report.checks);
    return { isPassed, checks, unguarded: this.#unguarded() };
  }

  #install(agent: GuardableAgent): void {
    const { name } = agent;
    if (!this.#taps.claim(agent, name)) return;
    try {
      this.#agentTaps.install(this.#taps, viewOf(agent));
    } catch (cause) {
      if (cause instanceof GuardInstallError) throw cause;
      throw new GuardInstallError(name, 'an agent that takes reply functions', { cause });
    }
  }

  /** The names of members of guarded groups that this breaker does not guard. */
  #unguarded(): readonly string[] {
    const { guarded } = this.#context.shared;
    const members = this.agents.flatMap((agent) => groupOf(agent) ?? []);
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
      const expected = 'an agent with a method registerReply';
      throw new GuardInstallError(name, expected, otherVersion(agent, '0.2'));
    }
    if (nameOf(agent) === '') throw new GuardInstallError(name, 'an agent with a name');
    const holder = this.#context.shared.guarded.get(agent);
    if (holder !== undefined) {
      const sentence = whyClaimed(holder, this.#context.breaker);
      throw new GuardInstallError(name, 'an unguarded agent', { sentence });
    }
  }
}
