import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import { orInvalid } from '@teamfuse/core/options';
import { AgentRuns } from './agent-runs.ts';
import type { Context, Local } from './context.ts';
import {
  isControl,
  messagesIn,
  outcomeOf,
  promptPart,
  tellAnswers,
  tellCalls,
  textOf,
  wholeText,
} from './messages.ts';
import type { Message, ModelRequest, ToolRequest } from './shapes.ts';

/** Options of {@link guardMiddleware}. */
export interface MiddlewareOptions extends kit.GuardOptions {
  /** Who works, in signals and in reasons. @defaultValue 'agent' */
  readonly agent?: string;
}

/** A middleware for `createAgent`. */
export interface GuardMiddleware {
  readonly name: string;
  readonly wrapModelCall: <R extends ModelRequest, T>(
    request: R,
    handler: (request: R) => T | PromiseLike<T>,
  ) => Promise<T>;
  readonly wrapToolCall: <R extends ToolRequest, T>(
    request: R,
    handler: (request: R) => T | PromiseLike<T>,
  ) => Promise<T>;
}

/**
 * A middleware that guards an agent of `createAgent`: every model call and tool call. A run that trips ends before its next model
 * call, with a last message that says why. Warnings reach the model. It adds no steps to the graph.
 *
 * @throws {@link GuardInstallError} when it is given no breaker.
 */
export function guardMiddleware(breaker: Breaker, given: MiddlewareOptions = {}): GuardMiddleware {
  const { agent = 'agent', ...options } = orInvalid('options', 'an object', given, () => ({
    ...given,
  }));
  const context: Context = new kit.GuardContext<Local>(
    kit.checkBreaker('the middleware', breaker),
    options,
  );
  context.listen();
  context.lendJudge(undefined);
  const runs = new AgentRuns(context, agent);
  return {
    name: 'teamfuse',
    async wrapModelCall(request, handler) {
      const { runtime, messages } = request;
      const { scope } = await runs.of(runtime, kit.taskIn(messages));
      if (scope.local?.isHeard) return handler(request);
      const answer = await context.within(scope, () => callModel(context, agent, request, handler));
      if (isLast(answer)) await runs.end(runtime);
      return answer;
    },
    async wrapToolCall(request, handler) {
      const { scope } = await runs.of(request.runtime);
      if (scope.local?.isHeard) return handler(request);
      return context.within(scope, () => callTool(context, agent, request, handler));
    },
  };
}

async function callModel<R extends ModelRequest, T>(
  context: Context,
  agent: string,
  given: R,
  handler: (request: R) => T | PromiseLike<T>,
): Promise<T> {
  const request = withNudge(context, given);
  const { model, messages, systemPrompt, runtime } = request;
  const { signal } = runtime;
  tellAnswers(context, given.messages as readonly Message[]);
  const system = systemPrompt ? [{ type: 'system', content: systemPrompt }] : [];
  try {
    const step = kit.modelCall<T, Local>({
      agent,
      model: modelName(model),
      prompt: [...system, ...(messages as readonly Message[])].map(promptPart),
      signal,
      usageOf: answerIn,
      wholeTextOf: (answer) => answerText(answerIn(answer)),
    });
    const answer = await kit.call(context, step, async () => handler(request));
    const said = answerIn(answer);
    if (said !== undefined) {
      tellCalls(context, agent, said);
      context.reportAnswer(textOf(said), agent);
    }
    return answer;
  } catch (error) {
    const trip = signal?.aborted ? undefined : kit.tripIn(error);
    const { run } = context.scope ?? {};
    // Before the first answer there is nothing to keep.
    const hasAnswer = (messages as readonly Message[]).some(({ type }) => type === 'ai');
    if (trip === undefined || run === undefined || !hasAnswer) throw error;
    const last = messageLike(messages, 'ai', told(trip));
    kit.comesFrom(run, last);
    return last as T;
  }
}

async function callTool<R extends ToolRequest, T>(
  context: Context,
  agent: string,
  request: R,
  handler: (request: R) => T | PromiseLike<T>,
): Promise<T> {
  const { name: tool, args, id: callId } = request.toolCall;
  const { signal } = request.runtime;
  const info = { agent, tool, args, callId, signal, outcomeOf, isPause: isControl };
  let use: kit.BegunStep<unknown, Local> | undefined;
  try {
    const begun = await kit.begin(context, kit.toolCall<unknown, Local>(info));
    use = begun;
    const value = await context.within(begun.scope, handler, request);
    begun.end({ value });
    return value;
  } catch (error) {
    use?.end({ error });
    // LangChain tells the model of these itself.
    if (signal?.aborted || isControl(error) || isLangChains(error)) throw error;
    // Without a middleware the model is told of an error; with one, the run would fail.
    const trip = kit.tripIn(error);
    const text =
      trip === undefined ? `${error}\n Please fix your mistakes.` : toldBy(context, trip);
    const standIn = { name: tool, invoke: async () => text };
    const answer = await handler({ ...request, tool: standIn });
    return failed(answer as object) as T;
  }
}

/** Marks a message as that of a call that has failed, also for when it is stored: then it is what it was made with. */
function failed(message: object): object {
  const status = 'error';
  Object.assign(Object(Reflect.get(message, 'lc_kwargs')), { status });
  return Object.assign(message, { status });
}

function isLangChains(error: unknown): boolean {
  const { name, '~brand': brand } = Object(error) as Readonly<Record<string, unknown>>;
  return name === 'ToolInvocationError' || brand === 'MiddlewareError';
}

/** An answer that asks for no tool ends the run. */
function isLast(answer: unknown): boolean {
  return (answerIn(answer)?.tool_calls ?? []).length === 0;
}

function modelName(model: object): string {
  return String(Reflect.get(model, 'model') ?? Reflect.get(model, 'modelName') ?? 'unknown');
}

function toldBy(context: Context, trip: Trip): string {
  return trip.isStepOnly ? context.refusalOf(trip) : told(trip);
}

function told({ reason }: Trip): string {
  return `Stopped by Teamfuse: ${reason}`;
}

function answerText(answer: Message | undefined): string | undefined {
  return answer && wholeText(answer);
}

function answerIn(value: unknown): Message | undefined {
  return messagesIn(value).findLast(({ type }) => type === 'ai');
}

/** A message of the class that another one has; LangChain takes one without a class, too. */
function messageLike(messages: readonly object[], type: 'ai' | 'human', content: string): object {
  const known = (messages as readonly Message[]).findLast((message) => message.type === type);
  const role = type === 'ai' ? 'assistant' : 'user';
  if (known === undefined) return { role, content };
  return new (known.constructor as new (fields: object) => object)({ content });
}

function withNudge<R extends ModelRequest>(context: Context, request: R): R {
  const messages = context.prompt(request.messages, (nudge) =>
    messageLike(request.messages, 'human', `${kit.NUDGE_AUTHOR}: ${nudge}`),
  );
  return messages === request.messages ? request : { ...request, messages: [...messages] };
}
