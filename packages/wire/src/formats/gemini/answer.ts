import { type Fields, fieldsOf, nameIn, recordsOf } from '../../fields.ts';
import type { Piece, Problem, Refusal, WireAnswer } from '../format.ts';
import { pieceOf } from '../piece.ts';
import { itemsOf } from './history.ts';

const REFUSED_ID = 'refused';
/** More answers are not to be had at once. */
const MAX_OTHERS = 127;
/** The names that Google's APIs have for statuses of HTTP. */
const STATUSES: Readonly<Record<number, string>> = { 400: 'INVALID_ARGUMENT' };
const REFUSED = 'FAILED_PRECONDITION';

/** Reads an answer that came as a whole. */
export function readAnswer(body: Fields): WireAnswer {
  const [candidate, ...others] = recordsOf(body.candidates);
  const itemsIn = (one: Fields | undefined): WireAnswer['items'] =>
    itemsOf([{ ...fieldsOf(one?.content), role: 'model' }]);
  return {
    id: undefined,
    items: itemsIn(candidate),
    others: others.slice(0, MAX_OTHERS).map(itemsIn),
    usage: body,
    isComplete: candidate !== undefined || isBlocked(body),
  };
}

/** Whether the model was not asked, because of what the prompt says. */
export function isBlocked({ promptFeedback }: Fields): boolean {
  return nameIn(fieldsOf(promptFeedback).blockReason) !== undefined;
}

/** What an event of a stream adds. Arguments that come as a whole cannot be cut any more. */
export function piecesOf({ candidates }: Fields): readonly Piece[] {
  return recordsOf(candidates).flatMap(({ content, index = 0 }) =>
    recordsOf(fieldsOf(content).parts).flatMap(({ text, thought, functionCall }) => [
      ...pieceOf(`${thought === true ? 'thought' : 'text'} ${index}`, text),
      ...recordsOf(fieldsOf(functionCall).partialArgs)
        .filter(({ willContinue }) => willContinue === true)
        .flatMap(({ jsonPath, stringValue }) =>
          pieceOf(`arguments ${index} ${jsonPath}`, stringValue),
        ),
    ]),
  );
}

/** An error as all of Google's APIs have it. What a trip is stands in it too, as SDKs keep no headers. */
export function error({ text, code, status, kind, retryAfter }: Problem): object {
  const metadata = { ...(kind && { kind }), ...(retryAfter && { retryAfter }) };
  const info = {
    '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
    reason: code,
    domain: 'teamfuse',
    metadata,
  };
  const details = [info];
  return { error: { code: status, message: text, status: STATUSES[status] ?? REFUSED, details } };
}

/** An answer that says why a call was refused. */
export function answer({ model, text }: Refusal): object {
  return {
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 },
    modelVersion: model,
    responseId: REFUSED_ID,
  };
}
