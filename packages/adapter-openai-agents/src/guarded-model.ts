import {
  type AskedCall,
  call as callStep,
  lastAnswerIn,
  type ModelCallInfo,
  modelCall,
  NUDGE_AUTHOR,
  overlay,
  stream,
  tripIn,
} from '@teamfuse/adapter-kit';
import type { Trip } from '@teamfuse/core';
import { readJson } from '@teamfuse/core/kit';
import { finalAnswer, finalEvents, keepHistory, marked } from './ending.ts';
import type { Context, Progress } from './place.ts';
import type { GuardableModel, Item, ModelRequest, ModelResponse, StreamEvent } from './shapes.ts';

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
    model.getResponse({ ...asLastAnswer(context, request), ...(signal && { signal }) });
  try {
    const usageOf = ({ usage }: ModelResponse): object => usage;
    const step = modelCall({ ...infoOf(call), usageOf, wholeTextOf: wholeText });
    const answer = await callStep(context, step, work);
    heard(call, answer);
    return marked(answer, context.scope?.run);
  } catch (error) {
    return finalAnswer(endedBy(call, error), call.local.responseId);
  }
}

async function* streamed(call: Call): AsyncGenerator<StreamEvent> {
  const { context, model, request } = call;
  const { scope } = context;
  const step = modelCall<StreamEvent, Progress, unknown>({
    ...infoOf(call),
    usageOf: ({ response }) => response?.usage,
    wholeTextOf: ({ response }) => response && wholeText(response),
    textOf: ({ type, delta }) => (type === 'output_text_delta' ? String(delta) : ''),
  });
  const open = (signal?: AbortSignal): AsyncIterable<StreamEvent, unknown> =>
    model.getStreamedResponse({
      ...asLastAnswer(context, request),
      ...(signal && { signal }),
    }) as AsyncIterable<StreamEvent, unknown>;
  const events = stream(context, step, open);
  try {
    for await (const event of events) {
      const { response } = event;
      if (response !== undefined) context.within(scope, heard, call, response);
      yield response === undefined ? event : { ...event, response: marked(response, scope?.run) };
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

/** A request without tools and bounded, if it is for the last answer of a stopped run. */
function asLastAnswer(context: Context, request: ModelRequest): ModelRequest {
  const last = lastAnswerIn(context);
  if (last === undefined) return request;
  // Providers refuse what is said about the use of tools where there are none.
  const { toolChoice, parallelToolCalls, ...settings } = request.modelSettings;
  const { maxTokens = last.maxTokens } = settings;
  const modelSettings = { ...settings, maxTokens: Math.min(maxTokens, last.maxTokens) };
  const { text } = last;
  const input = text === undefined ? request.input : [...itemsOf(request), asText(text)];
  return { ...request, input, tools: [], handoffs: [], modelSettings };
}

function asPrompt(item: Item): { readonly content: string } {
  return { content: typeof item.content === 'string' ? item.content : JSON.stringify(item) };
}

function withNudge(context: Context, request: ModelRequest): ModelRequest {
  const given = itemsOf(request);
  const input = context.prompt(given, asText);
  return input === given ? request : { ...request, input };
}

function itemsOf({ input }: ModelRequest): readonly Item[] {
  return typeof input === 'string' ? [asUser(input)] : input;
}

function asText(told: string): Item {
  return asUser(`${NUDGE_AUTHOR}: ${told}`);
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
    context.callAnswered(String(callId), () => {
      const { text = output } = Object(output) as { readonly text?: unknown };
      const message = typeof text === 'string' ? text : JSON.stringify(text ?? null);
      return { error: { message }, isDenied: true };
    });
  }
}

/** All that an answer says, thinks and asks for. */
function wholeText({ output }: ModelResponse): string {
  const texts = output.map((item) => {
    const { type, name, arguments: args, content } = item;
    return type === 'function_call' ? `${name}(${args})` : textsIn(content);
  });
  return texts.join('\n');
}

/** The text of a message. */
export function textOf({ type, content }: Item): string {
  return type === 'message' ? textsIn(content) : '';
}

function textsIn(content: unknown): string {
  if (!Array.isArray(content)) return '';
  const texts = content.map((part) => Reflect.get(Object(part), 'text'));
  return texts.filter((text) => typeof text === 'string').join('');
}
