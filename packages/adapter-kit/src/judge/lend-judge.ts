import type { Breaker } from '@teamfuse/core';
import { GuardInstallError, internalsOf, type Pricing, whenDropped } from '@teamfuse/core/kit';
import { tellOfJudge } from '../context/error-report.ts';
import { type CheckedOptions, SCRIPTED } from '../context/guard-options.ts';
import { teamJudge } from './team-judge.ts';
import { modelName, type TeamModel } from './team-model.ts';

/** The part of a guard that lends its breaker a judge. */
export interface Lender {
  readonly breaker: Breaker;
  readonly pricing: Pricing;
  readonly options: Pick<CheckedOptions, 'judge'>;
}

/**
 * Lends the breaker the judge that the options of the guard, or else of the breaker, ask for. A breaker with its own judge keeps it.
 *
 * @returns how it is taken back; `undefined` if nothing was lent.
 * @throws {@link GuardInstallError} if the model of the team is to be asked, and it has none.
 * @throws {@link InvalidOptionError} if the breaker or the client cannot take the judge.
 */
export function lendJudge(lender: Lender, model: TeamModel | undefined): (() => void) | undefined {
  const { breaker, options, pricing } = lender;
  const { judges, disclosure } = internalsOf(breaker);
  if (judges.hasOwn) return undefined;
  const choice = options.judge ?? judges.choice;
  if (choice === false) return undefined;
  if (choice === undefined) {
    const isAskable = model !== undefined && modelName(model.client) !== SCRIPTED;
    if (isAskable && judges.current === undefined && disclosure.hasExcerpts) tellOfJudge();
    return undefined;
  }
  const isOfTeam = choice === true || typeof choice === 'string';
  if (isOfTeam && model === undefined) {
    const sentence = `judge: ${JSON.stringify(choice)} asks a model of the team, and none of its agents or managers has a model client; pass a judge of your own, or judge: false`;
    throw new GuardInstallError('the team', 'a model client', { sentence });
  }
  const takeBack = judges.lend(isOfTeam ? teamJudge(model as TeamModel, choice, pricing) : choice);
  // A breaker may outlive any number of guards and teams.
  const unregister = whenDropped(lender, takeBack);
  return () => {
    unregister();
    takeBack();
  };
}
