import { readUsage, type Trip } from '@teamfuse/core';
import type { ModelCall, Permit, StreamedPart } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import { type LastPlace, placeOfLastAnswer } from '../context/last-answer.ts';
import { askedCall, type ModelCallInfo, requestOf } from '../models/model-call.ts';
import type { StepKind, StepSpec } from './step.ts';

/** A piece of an answer. */
export interface StreamedPiece {
  readonly text: string;
  readonly part: StreamedPart;
}

/** How a model is called, and what its answer says of its usage, or each item of an answer that streams. */
export interface ModelInfo<T> extends ModelCallInfo {
  /**
   * The usage of the call so far, as OpenAI, Anthropic or the AI SDK report it. Of several, the last one that can be read counts.
   */
  readonly usageOf: (item: T) => object | null | undefined;
  /**
   * The text of an item, which counts if the call ends without usage.
   * @defaultValue the items that are text
   */
  readonly textOf?: (item: T) => string;
  /**
   * All that a whole answer says, thinks and asks for, which counts if the call ends without usage, and no more of it was streamed.
   * @defaultValue nothing
   */
  readonly wholeTextOf?: (item: T) => string | undefined;
  /** What an item has instead of text: a piece of what the model thinks, or of the arguments of a call. @defaultValue nothing */
  readonly besideText?: (item: T) => StreamedPiece | undefined;
  /** Whether the answer came out of a cache, so that nothing was spent. @defaultValue never */
  readonly isCached?: (item: T) => boolean;
  /** The call, if it was admitted before. @defaultValue it is asked for */
  readonly call?: ModelCall | undefined;
  /** Receives the call, which is about to be made. @defaultValue nobody does */
  readonly made?: ((call: ModelCall) => void) | undefined;
}

/**
 * A call of a model, whole or streamed: it reports the usage or the error. A call without usage is reported with what has come of its
 * answer.
 */
export function modelCall<T, L, R = T>(info: ModelInfo<T>): StepKind<R, L, T> {
  const { usageOf, textOf = textIn, isCached = () => false, signal, isSelection } = info;
  const { besideText = () => undefined, wholeTextOf = () => undefined } = info;
  const { canBeLast = isSelection !== true } = info;
  return {
    signal,
    at(context) {
      let { call } = info;
      let later: object | undefined;
      let text: string | undefined;
      let cutBy: Trip | undefined;
      const isAdmitted = call !== undefined;
      const request = call?.request ?? requestOf(context, info);
      return {
        request,
        isAdmitted,
        isLeaf: true,
        signal,
        isSelection,
        instead: (error) => {
          const place = canBeLast ? placeOfLastAnswer(context, error) : undefined;
          return place && context.within(place.scope, lastAnswer, context, info, place);
        },
        admitted: (permit) => {
          call ??= askedCall(context, info, request, permit);
          info.made?.(call);
        },
        onItem: (item) => {
          const beside = besideText(item);
          call?.streamed(textOf(item));
          if (beside !== undefined) call?.streamed(beside.text, beside.part);
          if (call?.isCut) cutBy ??= (context.scope?.run ?? context).conversation.trip;
          const usage = usageOf(item);
          const cached = isCached(item);
          if (!cached && readUsage(usage) === undefined) {
            text = wholeTextOf(item) ?? text;
            return;
          }
          if (call?.isOver) later = usage ?? undefined;
          else call?.answered(usage, { cached });
        },
        stopped: () => cutBy,
        report: (outcome) => {
          if (later !== undefined) call?.corrected(later);
          if (outcome !== undefined && 'error' in outcome) call?.failed(outcome.error);
          if (text !== undefined) call?.answered(undefined, { text });
          call?.brokeOff();
          return undefined;
        },
      };
    },
  };
}

/** The step that writes up what is there, at the current place. */
function lastAnswer<T, L, R>(
  context: GuardContext<L>,
  info: ModelInfo<T>,
  { scope, granted }: LastPlace<L>,
): StepSpec<R, L, T> {
  const { instead, ...step } = modelCall<T, L, R>(info).at(context);
  const admitted = (permit: Permit): void => {
    granted();
    step.admitted?.(permit);
  };
  return { ...step, scope, admitted };
}

function textIn(item: unknown): string {
  return typeof item === 'string' ? item : '';
}
