import type { BaseChatMessage, ChatAgent, ChatItem, Response } from '@teamfuse/agentchat';
import type { Watch } from '../guard/watch.ts';
import { type AgentCoverage, AgentTurn } from './agent-turn.ts';

/** The members of an agent through which it is asked. */
export type TurnMembers = Pick<ChatAgent, 'onMessages' | 'onMessagesStream'>;

/**
 * Ways to ask an agent that ask the breaker first and tell what the agent says and does.
 *
 * @param answering what answers in the end.
 */
export function turnTap(
  watch: Watch,
  agent: ChatAgent,
  answering: TurnMembers,
  coverage: AgentCoverage,
): TurnMembers {
  return {
    async onMessages(messages, options) {
      // An agent that asks itself is still in the same turn.
      if (!watch.isActive || watch.scope?.turn?.agent === agent) {
        return answering.onMessages(messages, options);
      }
      const turn = await AgentTurn.begin(watch, agent, coverage);
      try {
        const told = turn.withNudge(messages);
        const response = await watch.within(
          turn.scope,
          async () => watch.drill?.answer(agent) ?? answering.onMessages(told, options),
        );
        turn.hear(response);
        return response;
      } finally {
        turn.end();
      }
    },
    async *onMessagesStream(messages, options) {
      const open = (told: readonly BaseChatMessage[]): AsyncIterable<ChatItem | Response> =>
        watch.drill?.stream(agent) ?? answering.onMessagesStream(told, options);
      if (!watch.isActive) return yield* open(messages);
      const current = watch.scope?.turn;
      if (current?.agent === agent) {
        for await (const item of open(messages)) {
          current.hear(item);
          yield item;
        }
        return;
      }
      const turn = await AgentTurn.begin(watch, agent, coverage);
      try {
        const told = turn.withNudge(messages);
        for await (const item of watch.stream(turn.scope, () => open(told))) {
          turn.hear(item);
          yield item;
        }
      } finally {
        turn.end();
      }
    },
  };
}
