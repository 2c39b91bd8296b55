import type { ChatCompletionClient } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import type { Team } from '../../base/team.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';

/** Options of a {@link SocietyOfMindAgent}. */
export interface SocietyOfMindAgentOptions {
  /** The inner team; it works on every request and is reset afterwards. */
  readonly team: Team;
  /** The model that sums up the work of the team. */
  readonly modelClient: ChatCompletionClient;
  /** @defaultValue 'An agent that uses an inner team of agents to generate responses.' */
  readonly description?: string | undefined;
  /**
   * Prompt before the team's conversation.
   * @defaultValue says that a team's work on a request follows
   */
  readonly instruction?: string | undefined;
  /**
   * Prompt after the team's conversation.
   * @defaultValue asks for an answer that stands by itself
   */
  readonly responsePrompt?: string | undefined;
  /**
   * Context with the earlier requests that the team gets along with the next one.
   * @defaultValue an UnboundedChatCompletionContext
   */
  readonly modelContext?: ChatCompletionContext | undefined;
}

/** The names of {@link SocietyOfMindAgentOptions}. */
export const societyOptionNames: OptionNames<SocietyOfMindAgentOptions> = {
  team: true,
  modelClient: true,
  description: true,
  instruction: true,
  responsePrompt: true,
  modelContext: true,
};
