import {
  askPerson,
  call,
  codeRun,
  isAnswerDue,
  joinBlocks,
  nestedRun,
  runTeam,
  toolCall,
} from '@teamfuse/adapter-kit';
import { TrippedError } from '@teamfuse/core';
import { readJson } from '@teamfuse/core/kit';
import type { Step, StepWork } from '@teamfuse/groupchat';
import { nameOf, viewOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { groupOf } from '../context/group-of.ts';
import type { NestedEntry, PlaceParts } from '../context/place.ts';
import { contentText, summaryOf } from '../observe/message-text.ts';
import type { ModelCalls } from '../observe/model-calls.ts';
import type { PassThroughFilter } from '../observe/pass-through-filter.ts';
import { codeResult, toolOutcome } from '../observe/signals.ts';
import { Turns } from './turns.ts';

type Of<K extends Step['kind']> = Step & { readonly kind: K };
type InnerStep = Of<
  'nested-chat' | 'model-request' | 'tool-call' | 'code-execution' | 'human-input'
>;

/** Runs steps at a place of their own, by the verbs of the kit. */
export class Steps {
  readonly #context: ChatContext;
  readonly #calls: ModelCalls;
  readonly #passedThrough: PassThroughFilter;
  readonly #turns: Turns;
  /** Chats that are entered: both parties have taps, and either of them may be all that is guarded. */
  readonly #chats: WeakSet<object> = new WeakSet();

  constructor(context: ChatContext, calls: ModelCalls, passedThrough: PassThroughFilter) {
    this.#context = context;
    this.#calls = calls;
    this.#passedThrough = passedThrough;
    this.#turns = new Turns(context);
  }

  /** Runs the work of a step, unless it is refused. */
  async around<T>(step: Step, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const { kind, hiddenFor } = step;
    try {
      if (kind === 'selection' || (kind === 'chat' && hiddenFor !== null)) return await work();
      if (kind === 'chat') return await this.#chat(step, work);
      if (kind === 'turn' && hiddenFor === null) return await this.#turns.take(step, work);
      if (kind !== 'turn') return await this.#step(step, work);
      // Messages between hidden agents belong to the turn of their manager.
      const trip = context.scope?.run.trip;
      if (trip !== undefined) throw new TrippedError(trip);
      return await work();
    } catch (error) {
      throw context.refusals.errorOf(error);
    }
  }

  #chat<T>(chat: Of<'chat'>, work: StepWork<T>): Promise<T> {
    if (this.#chats.has(chat)) return work();
    this.#chats.add(chat);
    const { agent, recipient } = chat;
    const context = this.#context;
    const { scope, place } = context;
    if (scope === undefined) return this.#outermost(chat, work);
    const { queue, turn } = place;
    const isQueued = queue?.entries.some(
      (entry) => entry.recipient === recipient && (entry.sender ?? queue.owner) === agent,
    );
    if (isQueued) return context.at(scope, {}, work);
    const opener = nameOf(turn?.agent ?? agent);
    const nested = nestedRun({
      name: nameOf(recipient),
      agent: opener,
      ...(scope.tool === undefined && { trigger: `reply:${opener}` }),
      local: context.newPlace(),
      summary: summaryOf,
    });
    return call(context, nested, () => work());
  }

  #outermost<T>({ agent, recipient, signal }: Of<'chat'>, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const isTask = context.options.isTaskFromPerson || handsOnTask(agent, recipient);
    return runTeam(context, {
      name: nameOf(agent),
      signal,
      restartsLimits: context.limits === 'run',
      dropsNudges: false,
      local: context.newPlace({ task: isTask ? [agent, recipient] : undefined }),
      work: () => work().finally(() => context.probe?.runEnded(context.scope?.run)),
      // The agents have ended the chat at the refusal. Any error that gets here must reach the caller.
      stopped: (_, error) => {
        throw error;
      },
    });
  }

  async #step<T>(step: InnerStep, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const agent = nameOf(step.agent);
    const { turn } = context.place;
    const scope = context.scopeFor(agent);
    const at =
      (parts: PlaceParts = {}): StepWork<T> =>
      (signal, toolless) =>
        context.at(context.scope ?? scope, { turn, ...parts }, () => work(signal, toolless));
    const { kind, signal } = step;
    if (kind === 'human-input') return askPerson(context, { signal, work: at() });
    if (step.hiddenFor !== null) context.spareSelection();
    const { stepTrip } = context;
    if (stepTrip !== undefined && !isAnswerDue(context)) throw new TrippedError(stepTrip);
    switch (kind) {
      case 'model-request':
        return this.#calls.make(step, (call, signal, toolless) => at({ call })(signal, toolless));
      case 'tool-call': {
        const { name, callId, arguments: args } = step;
        const info = { tool: name || 'unknown', args: readJson(args), callId: callId ?? undefined };
        const by = turn?.actsFor ?? agent;
        const refusedAs = (content: string): T => {
          // What its agent passes on then is the guard's own text.
          this.#passedThrough.note(step.agent, { hasCalled: true });
          return { succeeded: false, content } as T;
        };
        const asked = toolCall({ agent: by, ...info, signal, outcomeOf: toolOutcome, refusedAs });
        return call(context, asked, at());
      }
      case 'code-execution': {
        const block = joinBlocks(step.blocks);
        return call(context, codeRun({ agent, block, signal, resultOf: codeResult }), at());
      }
      case 'nested-chat': {
        const { queue, trigger } = step;
        const first = queue[0]?.message;
        const nested = nestedRun({
          name: queueName(queue),
          agent,
          trigger: `reply:${agent}`,
          text: (typeof first === 'string' ? first : contentText(trigger?.content)) || undefined,
          local: context.newPlace({ queue: { owner: step.agent, entries: queue } }),
          summary: summaryOf,
        });
        return call(context, nested, () => work());
      }
    }
  }
}

/** The name of a nested queue: the names of its recipients. */
function queueName(queue: readonly NestedEntry[]): string {
  return [...new Set(queue.map(({ recipient }) => nameOf(recipient)))].join('+') || 'nested';
}

/** Whether an agent hands on a task of a program: to a model without having one, or to a group without being a member. */
function handsOnTask(agent: object, recipient: object): boolean {
  const group = groupOf(recipient);
  return group === undefined ? !hasModel(agent) && hasModel(recipient) : !group.includes(agent);
}

function hasModel(agent: object): boolean {
  return (viewOf(agent).client ?? undefined) !== undefined;
}
