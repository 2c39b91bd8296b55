import type { Breaker, Trip } from '@teamfuse/core';
import { internalsOf } from '@teamfuse/core/kit';
import type { Nudges } from './nudges.ts';
import { OutermostRun } from './run.ts';
import type { Scope } from './scope.ts';
import { tripIn } from './trip-in.ts';

/** What a model call is bound to that only writes up what is there after a stop. It gets no tools. */
export interface LastAnswer {
  /** Most tokens of the answer. */
  readonly maxTokens: number;
  /** What the model is told; nothing where the user has written the prompt (`guard.wrapUp()`). */
  readonly text: string | undefined;
}

/** What an adapter can do with its framework. */
export interface Abilities {
  /** Whether it can take the tools from a model call and bound its answer, for the last answer of a stopped run. @defaultValue false */
  readonly canWrapUp?: boolean;
}

/** The part of a guard's context that tells where a step is. */
interface Placed {
  readonly breaker: Breaker;
  readonly scope: Scope | undefined;
  readonly canWrapUp: boolean;
}

/** What a model call at the current place is bound to, if it is the last answer of a stopped team. */
export function lastAnswerIn(context: Placed): LastAnswer | undefined {
  const { run } = context.scope ?? {};
  if (run?.isWrapUp !== true || !context.canWrapUp) return undefined;
  const { lastWords } = run;
  if (lastWords === undefined && run.conversation.trip === undefined) return undefined;
  const { wrapUp } = internalsOf(context.breaker);
  return wrapUp && { maxTokens: wrapUp.maxTokens, text: lastWords };
}

/** Whether the run here is stopped, and its next model call may still write up what is there. Nested work leaves that to the outermost. */
export function isAnswerDue(context: Placed): boolean {
  const { run, depth } = context.scope ?? {};
  if (!context.canWrapUp || depth !== 0) return false;
  if (!(run instanceof OutermostRun) || run.isWrappedUp) return false;
  const trip = run.conversation.trip ?? run.trip;
  // Where a budget could not be checked, no circuit has opened, and no money is to be spent.
  const isUnchecked = trip?.kind === 'budget' && run.conversation.trip === undefined;
  return run.tripBefore === undefined && !isUnchecked && mayWriteUp(context, trip);
}

/** Whether a stop lets the team write up what is there: not one by hand, and each only once. */
export function mayWriteUp({ breaker }: Pick<Placed, 'breaker'>, trip?: Trip): boolean {
  if (trip === undefined || internalsOf(breaker).wrapUp === undefined) return false;
  return trip.kind !== 'manual' && trip.hasLastAnswer === undefined;
}

/** The result of a call that is refused while the team goes on: by itself, or until the last answer of its run. */
export function resultOf(
  context: Placed & { refusalOf(trip: Trip): string },
  trip: Trip,
): string | undefined {
  if (trip.isStepOnly) return context.refusalOf(trip);
  return isAnswerDue(context) ? trip.reason : undefined;
}

/** The part that tells a model why it is the last one. */
interface Telling<L> extends Placed {
  readonly scope: Scope<L> | undefined;
  readonly nudges: Nudges;
  attempt<T>(during: 'warn', work: () => T): T | undefined;
  reportNotice(text: string): void;
}

/** A place for the last answer, and how to say that it is admitted. */
export interface LastPlace<L> {
  readonly scope: Scope<L>;
  /** Marks the trip in the result, so that its readers see that there is a last answer. */
  granted(): void;
}

/** The place where a model call may be made after all that was refused with `error`, as the last answer of its run. */
export function placeOfLastAnswer<L>(
  context: Telling<L>,
  error: unknown,
): LastPlace<L> | undefined {
  const trip = tripIn(error);
  const { scope } = context;
  if (trip === undefined || scope === undefined || trip.isStepOnly) return undefined;
  if (!isAnswerDue(context)) return undefined;
  const run = scope.run as OutermostRun;
  const words = context.attempt('warn', () => context.nudges.lastWords(trip)) ?? trip.reason;
  return {
    scope: { ...scope, run: run.wrapUp(words) },
    granted() {
      run.writtenUp();
      context.reportNotice(words);
    },
  };
}
