import {
  type AskedCall,
  callModel,
  type ModelCallInfo,
  NUDGE_AUTHOR,
  overlay,
  streamModel,
  tripIn,
} from '@teamfuse/adapter-kit';
import type { Trip } from '@teamfuse/core';
import { readJson } from '@teamfuse/core/kit';
import { finalAnswer, finalEvents, keepHistory } from './ending.ts';
import type { Context, Progress } from './place.ts';
import type {
  GuardableModel,
  Item,
  ModelRequest,
  ModelResponse,
  ModelUsage,
  StreamEvent,
} from './shapes.ts';

/** The model whose calls inside of runs are asked for and reported. */
export function guardedModel(
  context: Context,
  model: GuardableModel,
  name: string,
): GuardableModel {
  const progress = (): Progress | undefined =>
    context.isActive ? context.scope?.local : undefined;
  return overlay<GuardableModel>(model, {
    getResponse: (request) => {
      const local = progress();
      if (local === undefined) return model.getResponse(request);
      tellDenied(context, request);
      return whole({ context, local, model, name, request: withNudge(context, request) });
    },
    getStreamedResponse: (request) => {
      const local = progress();
      if (local === undefined) return model.getStreamedResponse(request);
      tellDenied(context, request);
      return streamed({ context, local, model, name, request: withNudge(context, request) });
    },
  });
}

/** The name of a model, for its price. */
export function nameOfModel(model: object, asked: string | undefined): string {
  const names = ['modelId', 'model', '_model'].map((member) => Reflect.get(model, member));
  return names.find((name) => typeof name === 'string' && name !== '') ?? (asked || 'default');
}

interface Call {
  readonly context: Context;
  readonly local: Progress;
  readonly model: GuardableModel;
  readonly name: string;
  readonly request: ModelRequest;
}

async function whole(call: Call): Promise<ModelResponse> {
  const { context, model, request } = call;
  const work = (signal?: AbortSignal): Promise<ModelResponse> =>
    model.getResponse({ ...request, ...(signal && { signal }) });
  try {
    const answer = await callModel(context, {
      ...infoOf(call),
      work,
      usageOf: ({ usage }) => tokensOf(usage),
    });
    heard(call, answer);
    return answer;
  } catch (error) {
    return finalAnswer(endedBy(call, error), call.local.responseId);
  }
}

async function* streamed(call: Call): AsyncGenerator<StreamEvent> {
  const { context, model, request } = call;
  const { scope } = context;
  const events = streamModel<StreamEvent, unknown>(context, {
    ...infoOf(call),
    open: (signal) =>
      model.getStreamedResponse({ ...request, ...(signal && { signal }) }) as AsyncIterable<
        StreamEvent,
        unknown
      >,
    usageOf: ({ response }) => response && tokensOf(response.usage),
    textOf: ({ type, delta }) => (type === 'output_text_delta' ? String(delta) : ''),
  });
  try {
    for await (const event of events) {
      if (event.response !== undefined) context.within(scope, heard, call, event.response);
      yield event;
    }
  } catch (error) {
    yield* finalEvents(endedBy(call, error), call.local.responseId);
  }
}

/**
 * The trip that a last answer is to tell of.
 *
 * @throws the error if it is not the guard's doing, if there is nothing yet that would be lost, and if no text can be the output.
 */
function endedBy({ local, request }: Call, error: unknown): Trip {
  const trip = request.signal?.aborted ? undefined : tripIn(error);
  if (trip === undefined || !local.hasAnswer) throw error;
  if (request.outputType !== 'text') {
    keepHistory(error, request);
    throw error;
  }
  return trip;
}

function infoOf({ local, name, request }: Call): ModelCallInfo {
  const { systemInstructions = '', input, modelSettings, signal } = request;
  const said = typeof input === 'string' ? [{ content: input }] : input.map(asPrompt);
  return {
    agent: local.agent,
    model: name,
    prompt: [...(systemInstructions === '' ? [] : [{ content: systemInstructions }]), ...said],
    maxOutputTokens: modelSettings.maxTokens,
    signal,
  };
}

function asPrompt(item: Item): { readonly content: string } {
  return { content: typeof item.content === 'string' ? item.content : JSON.stringify(item) };
}

function withNudge(context: Context, request: ModelRequest): ModelRequest {
  const nudge = context.takeNudge();
  if (nudge === undefined) return request;
  const { input } = request;
  const before = typeof input === 'string' ? [asUser(input)] : input;
  return { ...request, input: [...before, asUser(`${NUDGE_AUTHOR}: ${nudge}`)] };
}

function asUser(content: string): Item {
  return { type: 'message', role: 'user', content };
}

/** There is an answer: reports what it says. */
function heard({ context, local, request }: Call, { output, responseId, id }: ModelResponse): void {
  if (!context.isActive) return;
  context.callsAsked(local.agent, callsIn(output, request));
  local.hasAnswer = true;
  local.responseId = responseId ?? id;
  context.reportAnswer(output.map(textOf).join(''), local.agent);
}

/** The calls of functions that an answer asks for. A hand-off is none, though it looks like one. */
function callsIn(output: readonly Item[], { tools = [] }: ModelRequest): readonly AskedCall[] {
  const names = new Set(tools.map(({ name }) => name as unknown));
  return output
    .filter(({ type, name }) => type === 'function_call' && names.has(name))
    .map(({ callId, name, arguments: args }) => ({
      id: String(callId),
      tool: String(name),
      args: readJson(String(args || '{}')),
    }));
}

/** Reports the calls that were answered and have reached no tool: they were not approved, or turned away by a guardrail. */
function tellDenied(context: Context, { input }: ModelRequest): void {
  if (typeof input === 'string') return;
  for (const { type, callId, output } of input) {
    if (type !== 'function_call_result') continue;
    const { text = output } = Object(output) as { readonly text?: unknown };
    const message = typeof text === 'string' ? text : JSON.stringify(text ?? null);
    context.callAnswered(String(callId), { error: { message }, isDenied: true });
  }
}

/** The text of a message. */
export function textOf({ type, content }: Item): string {
  if (type !== 'message' || !Array.isArray(content)) return '';
  const texts = content.map((part) => Reflect.get(Object(part), 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}

function tokensOf({ inputTokens, outputTokens, inputTokensDetails }: ModelUsage): object {
  const details = [inputTokensDetails ?? []].flat();
  const cachedInputTokens = details.reduce((sum, one) => sum + (one.cached_tokens ?? 0), 0);
  return { inputTokens, outputTokens, cachedInputTokens };
}
