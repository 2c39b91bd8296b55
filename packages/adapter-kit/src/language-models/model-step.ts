import type { Trip } from '@teamfuse/core';
import { inBackground, onAbort, whenDropped } from '@teamfuse/core/kit';
import type { Run } from '../context/scope.ts';
import { tripIn } from '../context/trip-in.ts';
import { comesFrom } from '../context/trip-of.ts';
import type { ModelCallInfo } from '../models/model-call.ts';
import { modelCall } from '../steps/model-call.ts';
import { call } from '../steps/step.ts';
import type { Caller } from './caller.ts';
import { askedFor } from './calls.ts';
import { begunStream, OPENED, type OpenedStream, openStream, streamOf } from './open-stream.ts';
import { NO_USAGE, textOfPart, writtenIn } from './parts.ts';
import type { AnswerPart, ModelAnswer, ModelStreamAnswer } from './shapes.ts';

/** What all steps of a run have in common. */
export type RunKey = object | string | undefined;

/** A model call, whatever way it is made. */
export interface ModelStep<T> extends Omit<ModelCallInfo, 'agent'> {
  /** Calls the model. */
  readonly open: (signal: AbortSignal | undefined) => PromiseLike<T>;
}

/** Asks for an answer that is whole. A run that has an answer ends with what it has; one that has none is refused. */
export function wholeStep(
  caller: Caller,
  key: RunKey,
  stepOf: () => ModelStep<ModelAnswer>,
): Promise<ModelAnswer> {
  const { context, agent } = caller;
  return at(caller, key, async () => {
    const given = stepOf();
    const { open, ...info } = given;
    const end = context.scope?.run.beginStep?.();
    try {
      const work = async (signal?: AbortSignal): Promise<ModelAnswer> => open(signal);
      const usageOf = (given: ModelAnswer): object => given;
      const wholeTextOf = ({ content }: ModelAnswer): string => content.map(writtenIn).join('');
      const step = modelCall({ ...info, agent, usageOf, wholeTextOf });
      const answer = await call(context, step, work);
      onAnswer(caller, key, answer.content);
      return marked(answer, context.scope?.run);
    } catch (error) {
      const { run, local } = context.scope ?? {};
      const trip = local?.hasAnswer === true ? tripBehind(error, given.signal) : undefined;
      if (trip === undefined) throw error;
      return { content: [], warnings: [], ...ending(trip, run) } as ModelAnswer;
    } finally {
      end?.();
    }
  });
}

/** Asks for an answer that is streamed. Its reader has a result already: a run that is stopped ends with what it has. */
export function streamedStep(
  caller: Caller,
  key: RunKey,
  stepOf: () => ModelStep<ModelStreamAnswer>,
): Promise<ModelStreamAnswer> {
  const { context, agent, scopes } = caller;
  return at(caller, key, async () => {
    const step = stepOf();
    const { scope } = context;
    let isWhole = false;
    let end = scope?.run.beginStep?.();
    let isOver = false;
    let unsubscribe = (): void => {};
    const over = (): void => {
      isOver = true;
      unsubscribe();
      end?.();
      if (!isWhole) scopes.lost?.(key);
    };
    let opened: OpenedStream;
    try {
      opened = await openStream(context, { ...step, agent });
    } catch (error) {
      over();
      return { stream: streamOf(final(step, error, scope?.run)) };
    }
    const { parts, rest } = opened;
    const left = (): void => inBackground(parts.return(undefined), () => {});
    const aborted = (): void => {
      over();
      left();
    };
    // Whoever aborts a stream may never ask for another part, nor cancel it.
    const quit = step.signal && onAbort(step.signal, aborted);
    const handed = async function* (): AsyncGenerator<AnswerPart> {
      const said: AnswerPart[] = [];
      try {
        yield OPENED;
        for await (const part of parts) {
          if (SAYING.has(part.type)) said.push(part);
          if (part.type === 'finish') {
            isWhole = true;
            context.within(scope, onAnswer, caller, key, said);
          }
          // A reader may leave here without a word: the clock runs on once it asks for the next part.
          end?.();
          yield part.type === 'finish' ? marked(part, scope?.run) : part;
          if (!isOver) end = scope?.run.beginStep?.();
        }
        if (!isWhole) step.signal?.throwIfAborted();
      } catch (error) {
        yield* final(step, error, scope?.run);
      } finally {
        quit?.();
        over();
      }
    };
    const stream = await begunStream(handed());
    // Frameworks copy a stream, so that its reader can leave without a word.
    unsubscribe = whenDropped(stream, left);
    return { ...rest, stream };
  });
}

/** The parts of a stream that say something, or ask for it. */
const SAYING: ReadonlySet<string> = new Set(['text-delta', 'tool-call', 'tool-result']);

function at<T>(
  { context, scopes, agent }: Caller,
  key: RunKey,
  work: () => Promise<T>,
): Promise<T> {
  return context.within(context.isActive ? scopes.ofModel(key, agent) : undefined, work);
}

/** The current run has an answer: reports what it says. */
function onAnswer(
  { context, agent, scopes }: Caller,
  key: RunKey,
  parts: readonly AnswerPart[],
): void {
  if (!context.isActive) return;
  const { local } = context.scope ?? {};
  if (local !== undefined) local.hasAnswer = true;
  context.reportAnswer(parts.map(textOfPart).join(''), agent);
  const results = new Set(
    parts.map(({ type, toolCallId }) => type === 'tool-result' && toolCallId),
  );
  // A call that the provider has answered is over.
  const calls = parts.filter(
    ({ type, toolCallId }) => type === 'tool-call' && !results.has(toolCallId),
  );
  askedFor(context, agent, calls);
  scopes.answered?.(
    key,
    calls.map(({ toolCallId }) => String(toolCallId)),
  );
}

/** The trip behind an error that is not the caller's doing. */
export function tripBehind(error: unknown, signal: AbortSignal | undefined): Trip | undefined {
  return signal?.aborted ? undefined : tripIn(error);
}

/** The parts of an answer that ends a stopped run. It asks for nothing. */
function final<T>(step: ModelStep<T>, error: unknown, run: Run | undefined): readonly AnswerPart[] {
  const trip = tripBehind(error, step.signal);
  if (trip === undefined) throw error;
  return [{ type: 'finish', ...ending(trip, run) }];
}

function ending(trip: Trip, run: Run | undefined) {
  return {
    finishReason: { unified: 'other', raw: `teamfuse: ${trip.reason}` },
    usage: NO_USAGE,
    providerMetadata: { teamfuse: told(trip, run) },
  };
}

/** The last answer of a stopped run says that it is one. */
function marked<T extends { readonly providerMetadata?: object }>(
  answer: T,
  run: Run | undefined,
): T {
  if (run?.trip?.hasLastAnswer !== true) return answer;
  const teamfuse = Object.assign(told(run.trip, run), { isLastAnswer: true });
  return { ...answer, providerMetadata: { ...answer.providerMetadata, teamfuse } };
}

function told({ kind, reason }: Trip, run: Run | undefined) {
  const teamfuse = { kind, reason };
  if (run !== undefined) comesFrom(run, teamfuse);
  return teamfuse;
}
