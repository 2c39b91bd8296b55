import { named, quotation } from '../../common/excerpt.ts';
import { inWords, listed, ordinal, times } from '../../common/words.ts';
import type { LapStep } from '../steps/lap-step.ts';

/** Most tools, agents or steps named in a reason. */
const MAX_NAMED = 4;
/** Most characters of each of several names. */
const NAME_LENGTH = 60;

/** A sentence, and the same without anything that the team said. */
export interface Sentence {
  readonly reason: string;
  readonly unquoted: string;
}

/** What came round, as a sentence; `steps` has `period` different ones. */
export function lapsReason(steps: readonly LapStep[], period: number): Sentence {
  const lap = lapOf(steps);
  const isInTurn = steps.every(({ key }, i) => i < period || key === steps[i - period]?.key);
  if (!isInTurn) return outOfTurn(lap, steps.length);
  const often = times(Math.floor(steps.length / period));
  const [only] = lap;
  return only !== undefined && lap.length === 1 ? ofOne(only, often) : ofSeveral(lap, often);
}

/** That a call would complete a lap which repeats itself; the last of the `steps` is not made yet. */
export function foreseenReason(
  steps: readonly LapStep[],
  period: number,
  round: number,
  tool: string,
): Sentence {
  const nth = ordinal(round);
  const isKeyed = steps.some(isByKey);
  const outcome = round > 2 && !isKeyed ? outcomeOf(steps, period) : '';
  const call = quotation(tool);
  if (period > 1) {
    const would = `would complete the same ${inWords(period)} steps for the ${nth} time${outcome}`;
    return { reason: `${call} ${would}`, unquoted: `the next call ${would}` };
  }
  if (isKeyed) {
    const would = `would be made for the ${nth} time`;
    return { reason: `the same call of ${call} ${would}`, unquoted: `the same call ${would}` };
  }
  const would = `for the ${nth} time with the same arguments${outcome}`;
  return {
    reason: `${call} would be called ${would}`,
    unquoted: `the next call would be made ${would}`,
  };
}

/** The steps in the order in which they came first. */
function lapOf(steps: readonly LapStep[]): readonly LapStep[] {
  return [...new Map(steps.map((step) => [step.key, step])).values()];
}

function ofOne(step: LapStep, often: string): Sentence {
  const { tool, agent, isAct, isMessage } = step;
  if (isMessage) {
    return {
      reason: `${named(agent)} said the same ${often}`,
      unquoted: `the same message was sent ${often}`,
    };
  }
  const unquoted = `the same step was taken ${often}${isByKey(step) ? '' : ' with the same result'}`;
  if (!isAct) return { reason: `${named(agent)} took the same step ${often}`, unquoted };
  if (tool === '')
    return { reason: `the same code was run ${often} with the same result`, unquoted };
  const call = quotation(tool);
  const reason = isByKey(step)
    ? `the same call of ${call} was made ${often}`
    : `${call} was called ${often} with the same arguments and the same result`;
  return { reason, unquoted };
}

function ofSeveral(lap: readonly LapStep[], often: string): Sentence {
  const count = inWords(lap.length);
  if (lap.every(({ isMessage }) => isMessage)) {
    const unquoted = `the same ${count} messages were sent ${often}`;
    return { reason: ofMessages(lap, often), unquoted };
  }
  const results = resultsOf(lap);
  const unquoted = `the same ${count} steps were taken ${often}${results}`;
  if (lap.every(({ isAct }) => !isAct)) {
    return { reason: `${agentsOf(lap)} took the same ${count} steps ${often}`, unquoted };
  }
  if (areRuns(lap)) {
    return { reason: `the same ${count} pieces of code were run ${often}${results}`, unquoted };
  }
  if (!areCalls(lap)) return { reason: `${unquoted}: ${described(lap)}`, unquoted };
  const isEachAnother = new Set(lap.map(({ tool }) => tool)).size === lap.length;
  const reason =
    isEachAnother && results !== ''
      ? `${toolsOf(lap)} were called ${often} in turn with the same arguments and the same results`
      : `the same ${count} calls of ${toolsOf(lap)} were made ${often}${results}`;
  return { reason, unquoted };
}

function ofMessages(lap: readonly LapStep[], often: string): string {
  const names = agentsOf(lap);
  const speakers = new Set(lap.map(({ agent }) => agent)).size;
  if (speakers === 1) return `${names} said the same ${inWords(lap.length)} things ${often}`;
  if (speakers < lap.length) {
    return `${names} exchanged the same ${inWords(lap.length)} messages ${often}`;
  }
  return `${names} said the same ${speakers === 2 ? 'to each other' : 'in turn'} ${often}`;
}

/** The steps recur, but in changing order or not equally often. */
function outOfTurn(lap: readonly LapStep[], total: number): Sentence {
  const same = (things: string): string =>
    `the last ${inWords(total)} ${things} were the same ${inWords(lap.length)} over and over${resultsOf(lap)}`;
  const unquoted = same('steps');
  if (areRuns(lap)) return { reason: same('runs of code'), unquoted };
  const reason = areCalls(lap)
    ? `${same('calls')}: ${toolsOf(lap)}`
    : `${unquoted}: ${described(lap)}`;
  return { reason, unquoted };
}

function areCalls(lap: readonly LapStep[]): boolean {
  return lap.every(({ tool }) => tool !== '');
}

function areRuns(lap: readonly LapStep[]): boolean {
  return lap.every(({ isAct, tool }) => isAct && tool === '');
}

/** Nothing where the results do not count, or there are none. */
function resultsOf(lap: readonly LapStep[]): string {
  return lap.some(isByKey) || lap.every(({ isAct }) => !isAct) ? '' : ' with the same results';
}

function toolsOf(lap: readonly LapStep[]): string {
  const tools = new Set(lap.map(({ tool }) => tool));
  return several([...tools].map((tool) => quotation(tool, NAME_LENGTH)));
}

function agentsOf(lap: readonly LapStep[]): string {
  return several([...new Set(lap.map(({ agent }) => agent))].map(named));
}

function described(lap: readonly LapStep[]): string {
  return several([...new Set(lap.map(descriptionOf))]);
}

function descriptionOf({ isAct, isMessage, tool, agent }: LapStep): string {
  if (tool !== '') return `a call of ${quotation(tool, NAME_LENGTH)}`;
  if (isAct) return 'a run of code';
  return `a ${isMessage ? 'message' : 'step'} of ${named(agent)}`;
}

/** A list that shows the first of many names. */
function several(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  return listed(more > 0 ? [...names.slice(0, MAX_NAMED), `${inWords(more)} more`] : names);
}

/** What came of the steps before, which is expected again. */
function outcomeOf(steps: readonly LapStep[], period: number): string {
  const isCall = steps.every(({ isAct }) => isAct);
  if (!isCall) return '; nothing new came of them before';
  const hasWorked = steps.every(({ isPatient }) => isPatient);
  if (period > 1) return `; their ${hasWorked ? 'results' : 'outcomes'} were the same each time`;
  return hasWorked ? '; the result was the same each time' : '; it failed the same way each time';
}

/** Whether a declared key decides that it is the same step, whatever comes of it. */
function isByKey({ ask, key }: LapStep): boolean {
  return ask === key;
}
