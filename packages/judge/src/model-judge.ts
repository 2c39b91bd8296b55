import type { Confirm, PriceBook } from '@teamfuse/core';
import {
  costInUsd,
  type JudgeUsage,
  type Prices,
  type ReportedUsage,
  untilAborted,
} from '@teamfuse/core/kit';
import { checkNames, integer, type OptionNames, priceBookOf, textOf } from '@teamfuse/core/options';
import { GenaiPriceBook } from '@teamfuse/prices';
import { askerOf, type JudgeModel } from './judge-model.ts';
import { questionMessages } from './question-messages.ts';
import { readVerdict } from './verdict.ts';

/** Options of {@link modelJudge}. */
export interface ModelJudgeOptions {
  /**
   * Milliseconds that an answer may take. After that, the breaker decides without the judge. For more than a minute, raise
   * `judge.timeoutMs` of the breaker, too.
   * @defaultValue 30_000
   */
  readonly timeoutMs?: number;
  /**
   * Your own prices by model; other models keep their public prices. Or a price book, which replaces those. A model without a
   * price has an unknown cost; its tokens still count.
   * @defaultValue the public prices of the large providers
   */
  readonly prices?: Prices;
  /**
   * The name under which the prices list the model.
   * @defaultValue the name that the client gives
   */
  readonly model?: string;
}

const NAMES: OptionNames<ModelJudgeOptions> = { timeoutMs: true, prices: true, model: true };

/**
 * Makes a judge of a model: one question, one answer with a probability and a reason.
 *
 * Do not pass the client of a guarded agent: its calls wait for the breaker. Make a separate client.
 *
 * @throws {@link InvalidOptionError} naming what is wrong with the client or the options.
 * @example
 * ```ts
 * const breaker = new Breaker({ judge: modelJudge(new OpenAIChatCompletionClient({ model: 'gpt-4o-mini' })) });
 * ```
 */
export function modelJudge(client: JudgeModel, options: ModelJudgeOptions = {}): Confirm {
  const asker = askerOf(client);
  checkNames('', options, NAMES);
  const { timeoutMs = 30_000, prices = {}, model = asker.model } = options;
  const book = priceBookOf(prices, new GenaiPriceBook());
  // A timer of Node ends at once where its time is longer.
  integer('timeoutMs', timeoutMs, 1, 2 ** 31 - 1);
  if (options.model !== undefined) textOf('model', model);
  return async (question) => {
    const signal = AbortSignal.timeout(timeoutMs);
    // A model may ignore the signal.
    const reply = await untilAborted(asker.ask(questionMessages(question), signal), signal);
    const { text, usage } = reply;
    const spent = usage && spentOn(book, model, usage);
    try {
      return { ...readVerdict(text), ...(spent && { usage: spent }) };
    } catch (error) {
      throw Object.assign(error as Error, spent && { usage: spent });
    }
  };
}

function spentOn(book: PriceBook, model: string, usage: ReportedUsage): JudgeUsage {
  const { inputTokens, outputTokens, costUsd = costInUsd(book, model, usage) } = usage;
  return { inputTokens, outputTokens, costUsd };
}
