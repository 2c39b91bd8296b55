/** The part of a message that has tokens. */
export interface CountableMessage {
  readonly content: string;
  /** Who wrote it, where the protocol sends the name along. */
  readonly name?: string;
}

/** Counts the tokens of texts and prompts, offline. */
export interface TokenCounter {
  /** Whether counts come from a rule of thumb rather than from the model's own encoding. */
  readonly isEstimate: boolean;
  /** Tokens of a text. Time grows in proportion to its length. */
  count(text: string): number;
  /** Tokens of a whole prompt, with what the chat protocol adds to each message. */
  countMessages(messages: readonly CountableMessage[]): number;
}
