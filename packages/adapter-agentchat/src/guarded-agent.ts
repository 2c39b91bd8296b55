import { checkBreaker, describe, type GuardOptions, otherVersion } from '@teamfuse/adapter-kit';
import {
  BaseChatAgent,
  type BaseChatMessage,
  type CancelOptions,
  type ChatAgent,
  type ChatItem,
  type ChatItemClass,
  type JsonObject,
  type Response,
} from '@teamfuse/agentchat';
import type { Breaker } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { handoffNames } from './guard/members.ts';
import { loneContext } from './guard/team-context.ts';
import { isAgent } from './taps/shapes.ts';
import { type TurnMembers, turnTap } from './taps/turn-tap.ts';

/** Options of {@link GuardedAgent}. */
export type GuardedAgentOptions = Pick<GuardOptions, 'models' | 'prices' | 'onError'>;

/**
 * An agent that asks a breaker before each of its turns and reports what it says and does.
 *
 * Use it if you can add an agent to a team but cannot change the team. The wrapped agent stays unchanged, so its turns cannot be
 * stopped in the middle; `guardTeam` can do that. A refused turn throws a `TrippedError`, which ends the run of the team.
 *
 * @example
 * ```ts
 * const breaker = new Breaker();
 * const team = new RoundRobinGroupChat([new GuardedAgent(writer, breaker), critic]);
 * breaker.stop('that will do');
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * stopReason; // => 'that will do'
 * ```
 */
export class GuardedAgent extends BaseChatAgent {
  /** The agent that answers. */
  readonly agent: ChatAgent;
  readonly #turns: TurnMembers;

  /** @throws {@link GuardInstallError} naming what was expected. */
  constructor(agent: ChatAgent, breaker: Breaker, options: GuardedAgentOptions = {}) {
    if (!isAgent(agent)) {
      const expected = 'an object with onMessages and onMessagesStream, received';
      throw new GuardInstallError(
        'agent',
        `${expected} ${describe(agent)}`,
        otherVersion(agent, '0.4'),
      );
    }
    super(agent.name, agent.description);
    this.agent = agent;
    // The agents of one team are guarded one by one.
    const context = loneContext(checkBreaker(`agent '${agent.name}'`, breaker), options);
    this.#turns = turnTap(context, this, agent, {
      models: false,
      code: false,
      handoffs: handoffNames(agent),
      heedsNudges: false,
    });
  }

  override get producedMessageTypes(): readonly ChatItemClass[] {
    return this.agent.producedMessageTypes;
  }

  /** @throws TrippedError when the turn is refused. */
  override async onMessages(
    messages: readonly BaseChatMessage[],
    options?: CancelOptions,
  ): Promise<Response> {
    return this.#turns.onMessages(messages, options);
  }

  /** @throws TrippedError when the turn is refused. */
  override async *onMessagesStream(
    messages: readonly BaseChatMessage[],
    options?: CancelOptions,
  ): AsyncGenerator<ChatItem | Response, void> {
    yield* this.#turns.onMessagesStream(messages, options);
  }

  override async onReset(options?: CancelOptions): Promise<void> {
    await this.agent.onReset(options);
  }

  override async onPause(options?: CancelOptions): Promise<void> {
    await this.agent.onPause(options);
  }

  override async onResume(options?: CancelOptions): Promise<void> {
    await this.agent.onResume(options);
  }

  override async saveState(): Promise<JsonObject> {
    return this.agent.saveState();
  }

  override async loadState(state: JsonObject): Promise<void> {
    await this.agent.loadState(state);
  }

  override async close(): Promise<void> {
    await this.agent.close();
  }
}
