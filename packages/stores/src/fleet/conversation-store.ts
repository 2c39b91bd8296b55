import type { JsonValue, MaybePromise } from '@teamfuse/core/kit';

/** A conversation as it was saved. */
export interface SavedConversation {
  /** Which state this is: every save has another version. */
  readonly version: string;
  readonly snapshot: JsonValue;
}

/** Keeps the states of conversations that move between processes. */
export interface ConversationStore {
  /** What was saved last under an id; `undefined` if nothing was, or if it was given up. */
  load(id: string): MaybePromise<SavedConversation | undefined>;
  /**
   * Saves a state, unless another one was saved since `version` was loaded; `undefined` if nothing was there. Returns the version of
   * the new state, or `undefined` if it was not saved.
   */
  save(
    id: string,
    snapshot: JsonValue,
    version: string | undefined,
  ): MaybePromise<string | undefined>;
}
