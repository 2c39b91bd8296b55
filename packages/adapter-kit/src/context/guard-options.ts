import { type Breaker, InvalidOptionError } from '@teamfuse/core';
import { estimateTokens } from '@teamfuse/core/detectors';
import { type JudgeChoice, noticeText, type Prices, type TokenCounter } from '@teamfuse/core/kit';
import { checkJudge, checkNames, type OptionNames } from '@teamfuse/core/options';
import type { HistoryOptions } from '@teamfuse/stores/history';
import { type ErrorHandler, showWarning } from './error-report.ts';
import { conversationId } from './for-whom.ts';
import type { Wording } from './nudges.ts';

/** Options that all guards share. */
export interface GuardOptions {
  /**
   * Your own prices by model, before those of the breaker; or a price book, which replaces them. A model without a price has an
   * unknown cost; it never counts as 0.
   * @defaultValue those of the breaker
   */
  readonly prices?: Prices;
  /**
   * The model of each agent, or of all, whose prices count where the name of their own model is missing or has no known price,
   * such as that of a deployment.
   * @defaultValue those of the breaker
   */
  readonly models?: string | Readonly<Record<string, string>>;
  /**
   * Counts prompts before they are sent.
   * @defaultValue an estimate by the length of the texts
   */
  readonly counter?: TokenCounter;
  /**
   * The text that tells the team of a finding, the result of a call that is refused by itself (`cause` is `refused` then), and what
   * the model is told that gives the last answer after a stop (`stopped`).
   * @defaultValue the finding's reason, and what would count as progress
   */
  readonly nudge?: Wording;
  /**
   * Whether a team that was told of a loop goes on from before it: prompts leave out what repeats the lap before to the letter. Histories
   * and recordings keep it.
   * @defaultValue false
   */
  readonly cutLaps?: boolean;
  /**
   * Receives errors of the guard and of the breaker; the run continues.
   * @defaultValue a process warning
   */
  readonly onError?: ErrorHandler;
  /**
   * Records how each outermost run of a task ends. Once the latest runs all ended in the same failure, the next one is refused
   * with a `RepeatedFailureError` before it costs anything.
   * @defaultValue none
   */
  readonly history?: HistoryOptions;
  /**
   * Whether a person writes the tasks of runs. A person's input clears what the detectors hold against the team; a task from code
   * is an ordinary message.
   * @defaultValue false
   */
  readonly isTaskFromPerson?: boolean;
  /**
   * The judge, unless the breaker has its own: `true` asks the team's own model, the name of a model asks that model through the
   * same client, `false` turns it off. A function or `JudgeOptions` is your own judge.
   * @defaultValue the breaker's option; without a judge, a process warning says once what is missed
   */
  readonly judge?: JudgeChoice;
  /**
   * The id of the conversation that the team continues, such as a user's id, or one in a restored snapshot. Guards with the same
   * id share its circuit; parallel runs get further conversations.
   * @defaultValue the team's conversation from the last time it was guarded, or a new one; the first team has the main one
   */
  readonly conversation?: string;
}

const NAMES: OptionNames<GuardOptions> = {
  prices: true,
  models: true,
  counter: true,
  nudge: true,
  cutLaps: true,
  onError: true,
  isTaskFromPerson: true,
  history: true,
  judge: true,
  conversation: true,
};

/** {@link GuardOptions} with all defaults filled in. */
export interface CheckedOptions {
  readonly prices: Prices | undefined;
  readonly models: string | Readonly<Record<string, string>> | undefined;
  readonly counter: TokenCounter;
  readonly nudge: Wording;
  readonly cutLaps: boolean;
  readonly onError: ErrorHandler;
  readonly isTaskFromPerson: boolean;
  readonly history: HistoryOptions | undefined;
  readonly judge: JudgeChoice | undefined;
  readonly conversation: string | undefined;
}

/**
 * Checks options and fills in the defaults.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function checkOptions(options: GuardOptions, breaker?: Breaker): CheckedOptions {
  checkNames('', options, NAMES);
  const {
    prices,
    models,
    counter = LENGTH_COUNTER,
    nudge = noticeText,
    cutLaps = false,
    onError = (problem) => showWarning(problem, breaker),
    isTaskFromPerson = false,
    history,
    judge,
    conversation,
  } = options;
  if (typeof counter?.countMessages !== 'function') {
    throw new InvalidOptionError('counter', 'an object with a method countMessages', counter);
  }
  if (typeof nudge !== 'function') throw new InvalidOptionError('nudge', 'a function', nudge);
  if (typeof cutLaps !== 'boolean') {
    throw new InvalidOptionError('cutLaps', 'true or false', cutLaps);
  }
  if (typeof onError !== 'function') throw new InvalidOptionError('onError', 'a function', onError);
  if (typeof isTaskFromPerson !== 'boolean') {
    throw new InvalidOptionError('isTaskFromPerson', 'true or false', isTaskFromPerson);
  }
  if (judge !== undefined) checkJudge(judge);
  const checked = { prices, models, counter, nudge, cutLaps, onError, isTaskFromPerson };
  return { ...checked, history, judge, conversation: conversationId(conversation) };
}

/** Counts by the length of the texts. */
const LENGTH_COUNTER: TokenCounter = {
  countMessages: (messages) =>
    messages.reduce((sum, { content }) => sum + estimateTokens(content), 0),
};

/** The model of answers that come from a script: a `ReplayChatCompletionClient` names it so. */
export const SCRIPTED = 'replay';
