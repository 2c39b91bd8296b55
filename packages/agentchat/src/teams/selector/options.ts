import type { ChatCompletionClient } from '@teamfuse/models';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { ChatItem } from '../../messages/chat-item.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import type { GroupChatOptions } from '../group-chat-options.ts';

/** Chooses the next speaker from what was said and seen so far; `null` leaves the choice to the model. */
export type SelectorFunction = (
  thread: readonly ChatItem[],
) => MaybePromise<string | null | undefined>;

/** Narrows down who may speak next. */
export type CandidateFunction = (thread: readonly ChatItem[]) => MaybePromise<readonly string[]>;

/** Options of a {@link SelectorGroupChat}. */
export interface SelectorGroupChatOptions extends GroupChatOptions {
  /** The model that chooses. */
  readonly modelClient: ChatCompletionClient;
  /**
   * How the model is asked; the fields are `{roles}`, `{participants}` and `{history}`.
   * @defaultValue asks who should speak next, and for nothing but the name
   */
  readonly selectorPrompt?: string | undefined;
  /**
   * Whether the one who spoke last may speak again.
   * @defaultValue false
   */
  readonly allowRepeatedSpeaker?: boolean | undefined;
  /**
   * How often the model is asked before the choice falls on the previous speaker or the first candidate.
   * @defaultValue 3
   */
  readonly maxSelectorAttempts?: number | undefined;
  /** @defaultValue null: the model chooses */
  readonly selectorFunc?: SelectorFunction | null | undefined;
  /** @defaultValue null: all participants, except for the previous speaker where it may not speak again */
  readonly candidateFunc?: CandidateFunction | null | undefined;
  /**
   * Whether to stream the model's answer; it is shown only with `emitTeamEvents`.
   * @defaultValue false
   */
  readonly modelClientStreaming?: boolean | undefined;
  /** How much of the conversation the model sees. @defaultValue everything */
  readonly modelContext?: ChatCompletionContext | undefined;
}

/** The settings a selector's manager needs. Read at every use, so that a guard put in between takes effect at once. */
export interface SelectorParts {
  readonly modelClient: ChatCompletionClient;
  readonly selectorPrompt: string;
  readonly allowRepeatedSpeaker: boolean;
  readonly maxSelectorAttempts: number;
  readonly selectorFunc: SelectorFunction | null;
  readonly candidateFunc: CandidateFunction | null;
  readonly modelClientStreaming: boolean;
  readonly modelContext: ChatCompletionContext;
}
