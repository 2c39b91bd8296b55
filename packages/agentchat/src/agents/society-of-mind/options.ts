import type { ChatCompletionClient } from '@teamfuse/models';
import type { Team } from '../../base/team.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';

/** Options of a {@link SocietyOfMindAgent}. */
export interface SocietyOfMindAgentOptions {
  /** Works on every message the agent gets, and is reset afterwards. */
  readonly team: Team;
  /** Puts into words what the team has worked out. */
  readonly modelClient: ChatCompletionClient;
  /** @defaultValue 'An agent that uses an inner team of agents to generate responses.' */
  readonly description?: string | undefined;
  /**
   * What the model is told before the team's conversation.
   * @defaultValue says that a team's work on a request follows
   */
  readonly instruction?: string | undefined;
  /**
   * What the model is asked after the team's conversation.
   * @defaultValue asks for an answer that stands by itself
   */
  readonly responsePrompt?: string | undefined;
  /**
   * What the team is told of earlier requests.
   * @defaultValue an UnboundedChatCompletionContext
   */
  readonly modelContext?: ChatCompletionContext | undefined;
}
