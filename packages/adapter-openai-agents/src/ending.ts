import type { Run } from '@teamfuse/adapter-kit';
import type { Trip } from '@teamfuse/core';
import type { Item, ModelRequest, ModelResponse, StreamEvent } from './shapes.ts';

const histories: WeakMap<object, readonly Item[]> = new WeakMap();

/** What a model says that ends a stopped run. It asks for nothing. */
export function finalAnswer({ kind, reason }: Trip, responseId?: string): ModelResponse {
  const content = [{ type: 'output_text', text: `teamfuse: ${reason}` }];
  const message = { type: 'message', role: 'assistant', status: 'completed', content };
  const nothing = { requests: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  const usage = { ...nothing, inputTokensDetails: [], outputTokensDetails: [] };
  const about = { responseId, providerData: { teamfuse: { kind, reason } } };
  return { ...about, usage, output: [message] };
}

/** The last answer of a stopped run says that it is one. */
export function marked(answer: ModelResponse, run: Run | undefined): ModelResponse {
  if (run?.trip?.hasLastAnswer !== true) return answer;
  const { kind, reason } = run.trip;
  const teamfuse = { kind, reason, isLastAnswer: true };
  return { ...answer, providerData: { ...answer.providerData, teamfuse } };
}

/** The same as a stream. */
export function finalEvents(trip: Trip, responseId = 'teamfuse'): readonly StreamEvent[] {
  const response = { id: responseId, ...finalAnswer(trip, responseId) };
  return [
    { type: 'output_text_delta', delta: `teamfuse: ${trip.reason}` },
    { type: 'response_done', response },
  ];
}

/** Keeps the history of a run whose output has a type, so that no text can end it. */
export function keepHistory(error: unknown, { input }: ModelRequest): void {
  if (typeof error !== 'object' || error === null || typeof input === 'string') return;
  histories.set(error, [...input]);
}

/**
 * The history of a run that was stopped with this error, as the input of another run. `undefined` if it had no answer yet, or ended
 * with a result, which has its history itself.
 */
export function historyOf(error: unknown): readonly Item[] | undefined {
  return histories.get(Object(error));
}
