import { NUDGE_AUTHOR, type Scope } from '@teamfuse/adapter-kit';
import {
  type BaseChatMessage,
  type ChatAgent,
  type ChatItem,
  isResponse,
  type Response,
  TextMessage,
} from '@teamfuse/agentchat';
import type { Permit } from '@teamfuse/core';
import type { Place, Turn } from '../guard/place.ts';
import type { TeamContext } from '../guard/team-context.ts';
import type { Tapped } from '../signals/item-reader.ts';

/** The parts of an agent that a guard observes besides its turns. */
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

/** Guards the turns of an agent that `answering` answers in the end. */
export function turnTap(
  context: TeamContext,
  agent: ChatAgent,
  answering: TurnMembers,
  coverage: AgentCoverage,
): TurnMembers {
  return {
    async onMessages(messages, options) {
      // An agent that asks itself is still in the same turn.
      if (!context.isActive || context.turn?.agent === agent) {
        return answering.onMessages(messages, options);
      }
      const turn = await AgentTurn.begin(context, agent, coverage);
      try {
        const given = turn.withNudge(messages);
        const response = await context.within(turn.scope, async () =>
          context.isRehearsal ? rehearsed(agent) : answering.onMessages(given, options),
        );
        turn.hear(response);
        return response;
      } finally {
        turn.end();
      }
    },
    async *onMessagesStream(messages, options) {
      const { isRehearsal } = context;
      const open = (given: readonly BaseChatMessage[]): AsyncIterable<ChatItem | Response> =>
        isRehearsal ? once(rehearsed(agent)) : answering.onMessagesStream(given, options);
      if (!context.isActive) return yield* open(messages);
      const current = context.turn;
      if (current?.agent === agent) {
        for await (const item of open(messages)) {
          current.hear(item);
          yield item;
        }
        return;
      }
      const turn = await AgentTurn.begin(context, agent, coverage);
      try {
        const given = turn.withNudge(messages);
        for await (const item of context.stream(turn.scope, () => open(given))) {
          turn.hear(item);
          yield item;
        }
      } finally {
        turn.end();
      }
    },
  };
}

/** One agent's turn, from its admission to its answer. */
class AgentTurn implements Turn {
  readonly agent: ChatAgent;
  readonly calls: Set<string> = new Set();
  hasRun = false;
  readonly scope: Scope<Place>;
  readonly #context: TeamContext;
  readonly #coverage: AgentCoverage;
  readonly #permit: Permit;
  readonly #tapped: Tapped;

  private constructor(
    context: TeamContext,
    agent: ChatAgent,
    coverage: AgentCoverage,
    permit: Permit,
  ) {
    const around = context.scope ?? context.looseScope(agent.name);
    this.agent = agent;
    this.scope = {
      ...around,
      local: { ...around.local, tool: undefined, turn: this },
      ...(permit.isProbe && { permit }),
    };
    this.#context = context;
    this.#coverage = coverage;
    this.#permit = permit;
    const { models, code, handoffs } = coverage;
    const toolCall: Tapped['toolCall'] = (callId, name) =>
      this.calls.delete(callId) || this.calls.delete(name);
    // An agent that runs code and has no model says nothing but the result of the code.
    const isReport = (): boolean => this.hasRun && !models;
    this.#tapped = { models, code, handoffs, isReport, toolCall };
  }

  /** @throws TrippedError when the turn is refused. */
  static async begin(
    context: TeamContext,
    agent: ChatAgent,
    coverage: AgentCoverage,
  ): Promise<AgentTurn> {
    const permit = await context.admit({ kind: 'turn', ...context.originOf(agent.name) });
    return new AgentTurn(context, agent, coverage, permit);
  }

  get name(): string {
    return this.agent.name;
  }

  /** The messages, with a pending warning if the agent's model calls are not observed. */
  withNudge(messages: readonly BaseChatMessage[]): readonly BaseChatMessage[] {
    const { models, heedsNudges } = this.#coverage;
    if (models || !heedsNudges) return messages;
    const content = this.#context.takeNudge();
    if (content === undefined) return messages;
    return [...messages, new TextMessage({ content, source: NUDGE_AUTHOR })];
  }

  hear(item: ChatItem | Response): void {
    const isAnswer = isResponse(item);
    const items = isAnswer ? [...(item.innerMessages ?? []), item.chatMessage] : [item];
    this.#context.within(this.scope, () => this.#context.items(items, this.#tapped));
    if (isAnswer) this.end();
  }

  /** Ends the turn. Idempotent. */
  end(): void {
    this.#permit.release();
  }
}

/** The same answer by every agent. */
function rehearsed({ name: source }: ChatAgent): Response {
  const content = 'Thank you. Is there anything else?';
  return { chatMessage: new TextMessage({ content, source }) };
}

async function* once(response: Response): AsyncGenerator<Response> {
  yield response;
}
