import type { LLMMessage, ToolSchema } from '@teamfuse/models';
import type { OptionNames } from '@teamfuse/python-compat';
import { knownOptions } from '../base/options.ts';
import { ChatCompletionContext } from './chat-completion-context.ts';
import { isToolRequest, withoutLeadingResult } from './orphans.ts';
import { positive } from './positive.ts';

/** Counts the tokens of a request. */
export type CountTokens = (
  messages: readonly LLMMessage[],
  tools: readonly ToolSchema[],
) => number | Promise<number>;

/** Options of {@link TokenLimitedChatCompletionContext}. */
export interface TokenLimitedContextOptions {
  /** Limit for the tokens of a request. At least 1. */
  readonly tokenLimit: number;
  readonly countTokens: CountTokens;
  /**
   * Tools counted together with the messages.
   * @defaultValue []
   */
  readonly toolSchema?: readonly ToolSchema[] | undefined;
  /** @defaultValue [] */
  readonly initialMessages?: readonly LLMMessage[] | undefined;
}

/** The names of {@link TokenLimitedContextOptions}. */
const optionNames: OptionNames<TokenLimitedContextOptions> = {
  tokenLimit: true,
  countTokens: true,
  toolSchema: true,
  initialMessages: true,
};

/**
 * Sends as many messages as fit into the token limit, dropping messages from the middle first.
 *
 * A tool request and its results are dropped together, because providers refuse one without the other.
 *
 * @example
 * ```ts
 * const modelContext = new TokenLimitedChatCompletionContext({
 *   tokenLimit: 8_000,
 *   countTokens: (messages) => JSON.stringify(messages).length / 4,
 * });
 * ```
 */
export class TokenLimitedChatCompletionContext extends ChatCompletionContext {
  readonly tokenLimit: number;
  readonly #countTokens: CountTokens;
  readonly #toolSchema: readonly ToolSchema[];

  constructor(options: TokenLimitedContextOptions) {
    const {
      tokenLimit,
      countTokens,
      toolSchema = [],
      initialMessages,
    } = knownOptions('TokenLimitedChatCompletionContext', options, optionNames);
    super(initialMessages);
    this.tokenLimit = positive('token_limit', tokenLimit);
    this.#countTokens = countTokens;
    this.#toolSchema = toolSchema;
  }

  protected override async view(messages: readonly LLMMessage[]): Promise<readonly LLMMessage[]> {
    let kept = messages;
    while (kept.length > 0 && (await this.#countTokens(kept, this.#toolSchema)) > this.tokenLimit) {
      kept = withoutMiddle(kept);
    }
    return withoutLeadingResult(kept);
  }
}

function withoutMiddle(messages: readonly LLMMessage[]): readonly LLMMessage[] {
  const middle = Math.floor(messages.length / 2);
  const isResult = messages[middle]?.type === 'FunctionExecutionResultMessage';
  const first = isResult && isToolRequest(messages[middle - 1]) ? middle - 1 : middle;
  const answered =
    isToolRequest(messages[first]) &&
    messages[first + 1]?.type === 'FunctionExecutionResultMessage';
  return messages.toSpliced(first, answered ? 2 : 1);
}
