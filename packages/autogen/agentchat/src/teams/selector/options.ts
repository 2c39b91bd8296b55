import type { ChatCompletionClient } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { ChatItem } from '../../messages/chat-item.ts';
import type { ChatCompletionContext } from '../../model-context/chat-completion-context.ts';
import { type GroupChatOptions, groupChatOptionNames } from '../group-chat-options.ts';

/** Chooses the next speaker from the thread; `null` leaves the choice to the model. */
export type SelectorFunction = (
  thread: readonly ChatItem[],
) => MaybePromise<string | null | undefined>;

/** Returns the names of the possible next speakers. */
export type CandidateFunction = (thread: readonly ChatItem[]) => MaybePromise<readonly string[]>;

/** Options of a {@link SelectorGroupChat}. */
export interface SelectorGroupChatOptions extends GroupChatOptions {
  /** The model that chooses. */
  readonly modelClient: ChatCompletionClient;
  /**
   * Prompt of the model, with the fields `{roles}`, `{participants}` and `{history}`.
   * @defaultValue asks who should speak next, and for nothing but the name
   */
  readonly selectorPrompt?: string | undefined;
  /**
   * Whether the previous speaker may speak again.
   * @defaultValue false
   */
  readonly allowRepeatedSpeaker?: boolean | undefined;
  /**
   * Attempts of the model before the previous speaker or the first candidate is chosen.
   * @defaultValue 3
   */
  readonly maxSelectorAttempts?: number | undefined;
  /** @defaultValue null: the model chooses */
  readonly selectorFunc?: SelectorFunction | null | undefined;
  /** @defaultValue null: all participants, without the previous speaker unless `allowRepeatedSpeaker` is set */
  readonly candidateFunc?: CandidateFunction | null | undefined;
  /**
   * Whether to stream the model's answer; it is shown only with `emitTeamEvents`.
   * @defaultValue false
   */
  readonly modelClientStreaming?: boolean | undefined;
  /** How much of the conversation the model sees. @defaultValue everything */
  readonly modelContext?: ChatCompletionContext | undefined;
}

/** The names of {@link SelectorGroupChatOptions}. */
export const selectorOptionNames: OptionNames<SelectorGroupChatOptions> = {
  ...groupChatOptionNames,
  modelClient: true,
  selectorPrompt: true,
  allowRepeatedSpeaker: true,
  maxSelectorAttempts: true,
  selectorFunc: true,
  candidateFunc: true,
  modelClientStreaming: true,
  modelContext: true,
};

/** Settings a selector's manager uses, read at every use so that a guard's replacement takes effect at once. */
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
