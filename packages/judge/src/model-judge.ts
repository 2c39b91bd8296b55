import {
  type Confirm,
  checkNames,
  costInUsd,
  InvalidOptionError,
  type OptionNames,
  type PriceBook,
} from '@teamfuse/core';
import { askerOf, type JudgeModel } from './judge-model.ts';
import { questionMessages } from './question-messages.ts';
import { readVerdict } from './verdict.ts';

/** Options of {@link modelJudge}. */
export interface ModelJudgeOptions {
  /**
   * Milliseconds that an answer may take; then there is none, and the breaker decides alone.
   * @defaultValue 30_000
   */
  readonly timeoutMs?: number;
  /** Tells what an answer costs. Without it, its money counts as unknown and its tokens count all the same. */
  readonly prices?: PriceBook;
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
 * Give it a client of its own rather than one of the guarded agents' clients: a guarded one waits for the breaker.
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
  const { timeoutMs = 30_000, prices, model = asker.model } = options;
  if (!(Number.isSafeInteger(timeoutMs) && timeoutMs > 0)) {
    throw new InvalidOptionError('timeoutMs', 'a whole number of at least 1', timeoutMs);
  }
  return async (question) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await withinTime(asker.ask(questionMessages(question), signal), signal);
    const { inputTokens, outputTokens } = reply;
    const verdict = readVerdict(reply.text);
    if (inputTokens === undefined || outputTokens === undefined) return verdict;
    const costUsd = costInUsd(prices, model, { inputTokens, outputTokens });
    return { ...verdict, usage: { inputTokens, outputTokens, costUsd } };
  };
}

/** What `work` gives, unless the time is over before: a model may ignore the signal. */
function withinTime<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}
