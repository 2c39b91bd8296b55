import type { OptionNames } from '@teamfuse/python-compat';
import { z } from 'zod';
import { ValueError } from '../base/errors.ts';
import { integerOption, knownOptions } from '../base/options.ts';
import { validate } from '../base/validate.ts';
import type { ComponentClass } from '../component/component-loader.ts';
import type { ChatItem } from '../messages/chat-item.ts';
import { conditionClass, LeafTermination } from './leaf-termination.ts';

/** Options of {@link TokenUsageTermination}; at least one limit has to be given. */
export interface TokenUsageOptions {
  /** Most tokens of requests and answers together. @defaultValue null: no limit */
  readonly maxTotalToken?: number | null | undefined;
  /** Most tokens of requests. @defaultValue null: no limit */
  readonly maxPromptToken?: number | null | undefined;
  /** Most tokens of answers. @defaultValue null: no limit */
  readonly maxCompletionToken?: number | null | undefined;
}

/** The names of {@link TokenUsageOptions}. */
const optionNames: OptionNames<TokenUsageOptions> = {
  maxTotalToken: true,
  maxPromptToken: true,
  maxCompletionToken: true,
};

const limit = z.int().nullable();
const limits = z.object({
  max_total_token: limit,
  max_prompt_token: limit,
  max_completion_token: limit,
});
const someLimits = limits.partial();

/** A dump leaves out limits that are not set; a config without any limit is an error. */
function readLimits(config: Readonly<Record<string, unknown>>): z.output<typeof someLimits> {
  const hasSome = Object.keys(limits.shape).some((key) => key in config);
  return validate<z.output<typeof someLimits>>(
    hasSome ? someLimits : limits,
    config,
    'TokenUsageTerminationConfig',
  );
}

/**
 * Stops when the usage of messages and events reaches a limit.
 *
 * Usage that no message reports is not counted: the calls of selectors and orchestrators, inner teams of a
 * SocietyOfMindAgent, turns that failed.
 *
 * @example
 * ```ts
 * const condition = new TokenUsageTermination({ maxTotalToken: 50_000, maxCompletionToken: 8_000 });
 * condition.terminated; // => false
 * ```
 */
export class TokenUsageTermination extends LeafTermination {
  static readonly component: ComponentClass<TokenUsageTermination> = conditionClass(
    'TokenUsageTermination',
    (config) => {
      const { max_total_token, max_prompt_token, max_completion_token } = readLimits(config);
      return new TokenUsageTermination({
        maxTotalToken: max_total_token,
        maxPromptToken: max_prompt_token,
        maxCompletionToken: max_completion_token,
      });
    },
  );
  readonly label = 'TokenUsageTermination';
  readonly #maxTotal: number | null;
  readonly #maxPrompt: number | null;
  readonly #maxCompletion: number | null;
  #prompt = 0;
  #completion = 0;

  constructor(options: TokenUsageOptions) {
    const {
      maxTotalToken = null,
      maxPromptToken = null,
      maxCompletionToken = null,
    } = knownOptions('TokenUsageTermination', options, optionNames);
    super();
    if (maxTotalToken === null && maxPromptToken === null && maxCompletionToken === null) {
      throw new ValueError(
        'At least one of max_total_token, max_prompt_token, or max_completion_token must be provided',
      );
    }
    this.#maxTotal = limitOption('maxTotalToken', maxTotalToken);
    this.#maxPrompt = limitOption('maxPromptToken', maxPromptToken);
    this.#maxCompletion = limitOption('maxCompletionToken', maxCompletionToken);
  }

  override get terminated(): boolean {
    return (
      isReached(this.#maxTotal, this.#prompt + this.#completion) ||
      isReached(this.#maxPrompt, this.#prompt) ||
      isReached(this.#maxCompletion, this.#completion)
    );
  }

  override async reset(): Promise<void> {
    this.#prompt = 0;
    this.#completion = 0;
    await super.reset();
  }

  protected judge(messages: readonly ChatItem[]): string | null {
    for (const { modelsUsage } of messages) {
      this.#prompt += modelsUsage?.promptTokens ?? 0;
      this.#completion += modelsUsage?.completionTokens ?? 0;
    }
    if (!this.terminated) return null;
    return (
      `Token usage limit reached, total token count: ${this.#prompt + this.#completion}, ` +
      `prompt token count: ${this.#prompt}, completion token count: ${this.#completion}.`
    );
  }

  protected config(): Record<string, unknown> {
    return {
      max_total_token: this.#maxTotal,
      max_prompt_token: this.#maxPrompt,
      max_completion_token: this.#maxCompletion,
    };
  }
}

function limitOption(name: string, value: number | null): number | null {
  return value === null ? null : integerOption(name, value);
}

function isReached(max: number | null, count: number): boolean {
  return max !== null && count >= max;
}
