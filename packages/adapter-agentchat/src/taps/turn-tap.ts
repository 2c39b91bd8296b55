import { call, NUDGE_AUTHOR, stream, type TurnInfo, turn } from '@teamfuse/adapter-kit';
import {
  type BaseChatMessage,
  type ChatAgent,
  type ChatItem,
  isResponse,
  type Response,
  TextMessage,
} from '@teamfuse/agentchat';
import type { Place, Turn } from '../guard/place.ts';
import type { TeamContext } from '../guard/team-context.ts';

/** The parts of an agent that a guard observes in addition to its turns. */
export interface AgentCoverage {
  /** Whether the agent's model calls are observed. */
  readonly models: boolean;
  /** Whether the agent's executions are observed. */
  readonly code: boolean;
  /** The names under which handoffs are offered to the agent's model. */
  readonly handoffs: readonly string[];
  /** Whether the agent would act on a warning among its messages, rather than show it to a person or search it for code. */
  readonly heedsNudges: boolean;
}

/** The members of an agent through which it is asked. */
export type TurnMembers = Pick<ChatAgent, 'onMessages' | 'onMessagesStream'>;

type Said = ChatItem | Response;

/** What a turn is whichever way it is taken. */
interface AgentTurn
  extends Pick<TurnInfo<Said, Place>, 'agent' | 'asksModel' | 'local' | 'onItem'> {
  readonly isLast: (item: Said) => boolean;
  readonly rehearsed: Response;
}

/** Guards the turns of an agent that `answering` answers in the end. An agent that asks itself is still in the same turn. */
export function turnTap(
  context: TeamContext,
  agent: ChatAgent,
  answering: TurnMembers,
  coverage: AgentCoverage,
): TurnMembers {
  const begin = (): AgentTurn => {
    const own = turnOf(context, agent, coverage);
    return {
      agent: agent.name,
      asksModel: coverage.models,
      local: { runner: context.scope?.local?.runner, turn: own },
      // An item can be a tool call or a result as well as a message, so the guard reports it, and not the kit.
      onItem: own.hear,
      isLast: isResponse,
      // Each time a new one: what is heard once more is the same item.
      get rehearsed() {
        return rehearsed(agent);
      },
    };
  };
  return {
    // Not `async`, as each promise costs more where places are followed.
    onMessages(messages, options) {
      if (context.turn?.agent === agent) return answering.onMessages(messages, options);
      const work = (): Promise<Response> =>
        answering.onMessages(withNudge(context, messages, coverage), options);
      return call(context, turn<Said, Place>(begin()), work) as Promise<Response>;
    },
    onMessagesStream(messages, options) {
      const { scope, turn: current } = context;
      if (current?.agent === agent) {
        return context.stream(
          scope,
          () => answering.onMessagesStream(messages, options),
          current.hear,
        );
      }
      const open = (): AsyncIterable<Said, void> =>
        answering.onMessagesStream(withNudge(context, messages, coverage), options);
      const info = begin();
      return stream(context, turn<Said, Place>(info), open, info);
    },
  };
}

function turnOf(context: TeamContext, agent: ChatAgent, coverage: AgentCoverage): Turn {
  const { models, code, handoffs } = coverage;
  const calls = new Set<string>();
  const turn: Turn = {
    agent,
    calls,
    hasRun: false,
    hear(item) {
      const items = isResponse(item) ? [...(item.innerMessages ?? []), item.chatMessage] : [item];
      context.items(items, {
        models,
        code,
        handoffs,
        // An agent that runs code and has no model says nothing but the result of the code.
        isReport: () => turn.hasRun && !models,
        toolCall: (callId, name) => calls.delete(callId) || calls.delete(name),
      });
    },
  };
  return turn;
}

/** The messages, with a pending warning if the agent's model calls are not observed. */
function withNudge(
  context: TeamContext,
  messages: readonly BaseChatMessage[],
  { models, heedsNudges }: AgentCoverage,
): readonly BaseChatMessage[] {
  if (models || !heedsNudges) return messages;
  const content = context.takeNudge();
  if (content === undefined) return messages;
  return [...messages, new TextMessage({ content, source: NUDGE_AUTHOR })];
}

/** The same answer by every agent. */
function rehearsed({ name: source }: ChatAgent): Response {
  const content = 'Thank you. Is there anything else?';
  return { chatMessage: new TextMessage({ content, source }) };
}
