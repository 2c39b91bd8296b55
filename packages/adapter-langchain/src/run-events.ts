import {
  type AgentEnd,
  type BegunStep,
  begin,
  beginAgent,
  beginModel,
  type ModelCall,
  type ModelCallInfo,
  type Scope,
  toolCall,
  tripIn,
} from '@teamfuse/adapter-kit';
import { type Trip, TrippedError } from '@teamfuse/core';
import { type Outcome, readJson } from '@teamfuse/core/kit';
import type { Context, Local } from './context.ts';
import { isNode, lastText, modelName } from './described.ts';
import {
  isControl,
  isInterrupt,
  messagesIn,
  outcomeOf,
  promptPart,
  tellAnswers,
  tellCalls,
  textOf,
  usageOf,
  wholeText,
} from './messages.ts';
import { GraphPlace, isPartOfAgent, type Place } from './places.ts';
import type { Message, Metadata, ModelResult, Written } from './shapes.ts';

type Prompt = NonNullable<ModelCallInfo['prompt']>;

interface ModelUse {
  readonly call: ModelCall;
  readonly place: Place;
}

/** What the callbacks of a run need to know of it. */
export interface RunInfo {
  readonly agent: string;
  /** Aborts when the caller does, or leaves. */
  readonly signal: AbortSignal | undefined;
  /** Hears how the graph has ended, whether or not anyone reads its stream. */
  readonly ended: (end: AgentEnd) => unknown;
}

/** The callbacks of one run, which refuse what may not begin by throwing, and report the rest. */
export class RunEvents {
  /** LangChain writes it to the console with each refusal. */
  static readonly name: string = 'Teamfuse';
  readonly name = 'teamfuse';
  /** Only a handler that is awaited, and raises errors, can refuse anything. */
  readonly awaitHandlers = true;
  readonly raiseError = true;
  /** Whether a step was admitted. */
  hasBegun = false;
  /** Whether a node waits for a person. */
  isInterrupted = false;
  readonly #context: Context;
  readonly #info: RunInfo;
  readonly #root: GraphPlace;
  readonly #places: Map<string, Place> = new Map();
  readonly #ends: Map<string, (output: unknown, error?: unknown) => unknown> = new Map();
  readonly #models: Map<string, ModelUse> = new Map();
  readonly #tools: Map<string, BegunStep<unknown, Local>> = new Map();
  /** Who has asked for a call of a tool. */
  readonly #askers: Map<string, string> = new Map();

  constructor(context: Context, scope: Scope<Local>, info: RunInfo) {
    this.#context = context;
    this.#info = info;
    this.#root = new GraphPlace(context, { ...scope, local: { isHeard: true } }, info.agent);
  }

  /** The place of the run. */
  get scope(): Scope<Local> {
    return this.#root.scope;
  }

  /** All copies of a list of callbacks have this one. */
  copy(): this {
    return this;
  }

  handleChainStart(
    chain: Written | undefined,
    input: unknown,
    runId: string,
    parentRunId?: string,
    tags?: readonly string[],
    metadata?: Metadata,
    _type?: string,
    name = '',
  ): Promise<void> {
    return this.#refusing(async () => {
      const around = this.#places.get(parentRunId ?? '');
      this.#places.set(runId, around ?? this.#root);
      if (around === undefined) {
        this.#ends.set(runId, async (_, error) => {
          await this.#root.end();
          await this.#info.ended(error === undefined ? {} : { error });
        });
      } else if (chain?.id?.[1] === 'pregel') {
        const graph = new GraphPlace(this.#context, around.scope, name, around);
        this.#places.set(runId, graph);
        this.#ends.set(runId, (output) => graph.end(lastText(output)));
      } else if (around instanceof GraphPlace && isNode(name, metadata, tags)) {
        await this.#beginNode(runId, around, name, input);
      }
    });
  }

  handleChainEnd(output: unknown, runId: string): Promise<void> {
    return this.#ended(runId, output);
  }

  handleChainError(error: unknown, runId: string): Promise<void> {
    this.isInterrupted ||= isInterrupt(error);
    return this.#ended(runId, undefined, error);
  }

  handleChatModelStart(
    model: Written | undefined,
    messages: readonly (readonly Message[])[],
    runId: string,
    parentRunId?: string,
    extra?: object,
    _tags?: unknown,
    metadata?: Metadata,
  ): Promise<void> {
    return this.#beginModel(
      model,
      () => {
        tellAnswers(this.#context, messages.flat());
        return messages.flat().map(promptPart);
      },
      runId,
      parentRunId,
      extra,
      metadata,
    );
  }

  handleLLMStart(
    model: Written | undefined,
    prompts: readonly string[],
    runId: string,
    parentRunId?: string,
    extra?: object,
    _tags?: unknown,
    metadata?: Metadata,
  ): Promise<void> {
    const prompt = (): Prompt => prompts.map((content) => ({ content }));
    return this.#beginModel(model, prompt, runId, parentRunId, extra, metadata);
  }

  handleLLMNewToken(token: string, _index: unknown, runId: string): void {
    const { call, place } = this.#models.get(runId) ?? {};
    if (call === undefined || place === undefined) return;
    let trip: Trip | undefined;
    this.#at(place, () => {
      call.streamed(token);
      if (call.isCut) trip = (this.#context.scope?.run ?? this.#context).conversation.trip;
    });
    // LangChain ends the stream with it.
    if (trip !== undefined) throw new TrippedError(trip);
  }

  handleLLMEnd(
    result: ModelResult,
    runId: string,
    _parentRunId?: string,
    _tags?: unknown,
    extra?: { readonly cached?: boolean },
  ): void {
    const { call, place } = this.#models.get(runId) ?? {};
    this.#models.delete(runId);
    if (call === undefined || place === undefined) return;
    this.#at(place, () => {
      const answers = result.generations.flatMap(([answer]) =>
        answer === undefined ? [] : [answer.message ?? { content: answer.text }],
      );
      const text = answers.map(wholeText).join('\n');
      call.answered(usageOf(result), { cached: extra?.cached === true, text });
      for (const answer of answers) this.#heard(place, answer);
    });
  }

  handleLLMError(error: unknown, runId: string): void {
    const { call, place } = this.#models.get(runId) ?? {};
    this.#models.delete(runId);
    if (call !== undefined && place !== undefined) this.#at(place, () => call.failed(error));
  }

  handleToolStart(
    tool: Written | undefined,
    input: string,
    runId: string,
    parentRunId?: string,
    _tags?: unknown,
    _metadata?: Metadata,
    name?: string,
    callId?: string,
  ): Promise<void> {
    return this.#refusing(async () => {
      const around = this.#placeOf(parentRunId);
      const agent = this.#askers.get(callId ?? '') ?? around.agent;
      const info = {
        agent,
        tool: name ?? tool?.id?.at(-1) ?? 'tool',
        args: readJson(input),
        callId,
        signal: this.#info.signal,
        outcomeOf,
        isPause: isControl,
      };
      const use = await this.#context.within(around.scope, () =>
        begin(this.#context, toolCall<unknown, Local>(info)),
      );
      this.hasBegun = true;
      this.#tools.set(runId, use);
      const scope = { ...(use.scope ?? around.scope), agent };
      this.#places.set(runId, { scope, agent, around, hasSpoken: false });
    });
  }

  handleToolEnd(output: unknown, runId: string): void {
    this.#endTool(runId, { value: output });
  }

  handleToolError(error: unknown, runId: string): void {
    this.isInterrupted ||= isInterrupt(error);
    this.#endTool(runId, { error });
  }

  #endTool(runId: string, outcome: Outcome<unknown>): void {
    this.#tools.get(runId)?.end(outcome);
    this.#tools.delete(runId);
    this.#places.delete(runId);
  }

  async #beginNode(runId: string, graph: GraphPlace, name: string, input: unknown): Promise<void> {
    const isPart = isPartOfAgent(name);
    const scope = await graph.begin(isPart);
    const { agent: by = name, ...team } = scope;
    const place: Place = { scope, agent: by, around: graph, hasSpoken: false };
    const known = new Set(messagesIn(input));
    const said = (output: unknown): void => {
      if (!place.hasSpoken) this.#said(place, output, known);
    };
    if (isPart) {
      this.#places.set(runId, place);
      this.#ends.set(runId, said);
    } else {
      const work = await this.#context.within(team, () =>
        beginAgent(this.#context, { agent: name }),
      );
      Object.assign(place, { scope: { ...work.scope, agent: name }, agent: name });
      this.#places.set(runId, place);
      this.#ends.set(runId, (output) => {
        said(output);
        return work.end();
      });
    }
    this.hasBegun = true;
  }

  async #ended(runId: string, output: unknown, error?: unknown): Promise<void> {
    const end = this.#ends.get(runId);
    this.#ends.delete(runId);
    this.#places.delete(runId);
    try {
      await end?.(output, error);
    } catch (failure) {
      this.#context.report('observe', failure);
    }
  }

  #beginModel(
    model: Written | undefined,
    prompt: () => Prompt,
    runId: string,
    parentRunId: string | undefined,
    extra: object | undefined,
    metadata: Metadata = {},
  ): Promise<void> {
    return this.#refusing(async () => {
      const place = this.#placeOf(parentRunId);
      const { ls_max_tokens: limit } = metadata;
      const told = this.#context.within(place.scope, prompt);
      const info = {
        agent: place.agent,
        model: modelName(model, extra, metadata),
        prompt: told,
        signal: this.#info.signal,
        ...(typeof limit === 'number' && { maxOutputTokens: limit }),
      };
      const begin = (): Promise<ModelCall> => beginModel(this.#context, info);
      const call = await this.#context.within(place.scope, begin);
      this.hasBegun = true;
      this.#models.set(runId, { call, place });
    });
  }

  #placeOf(runId: string | undefined): Place {
    return this.#places.get(runId ?? '') ?? this.#root;
  }

  /** Something was said, which no place around repeats. */
  #heard(place: Place, message: Message): void {
    const { agent } = place;
    for (let at: Place | undefined = place; at !== undefined; at = at.around) at.hasSpoken = true;
    tellCalls(this.#context, agent, message);
    for (const { id } of message.tool_calls ?? [])
      if (id !== undefined) this.#askers.set(id, agent);
    this.#context.reportAnswer(textOf(message), agent);
  }

  /** A node has returned messages that no model has said. */
  #said(place: Place, output: unknown, known: ReadonlySet<Message>): void {
    this.#at(place, () => {
      for (const message of messagesIn(output)) {
        if (message.type !== 'ai' || known.has(message)) continue;
        this.#heard(place, message);
      }
    });
  }

  #at(place: Place, work: () => void): void {
    this.#context.within(place.scope, () => this.#context.attempt('observe', work));
  }

  /** Lets a refusal through; what else goes wrong is reported, and never reaches the run. */
  async #refusing(work: () => Promise<void>): Promise<void> {
    if (!this.#context.isActive) return;
    try {
      await work();
    } catch (error) {
      const trip = tripIn(error);
      // A tool that is refused alone fails with the reason, which LangChain tells the model.
      if (trip?.isStepOnly) throw new Error(this.#context.refusalOf(trip));
      if (trip !== undefined) throw error;
      this.#context.report('observe', error);
    }
  }
}
