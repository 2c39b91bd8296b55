import {
  callTool,
  joinBlocks,
  OutermostRun,
  runCode,
  runNested,
  type Scope,
} from '@teamfuse/adapter-kit';
import { type RunEnd, readJson, TrippedError } from '@teamfuse/core';
import type { Activity, StepWork } from '@teamfuse/groupchat';
import { groupOf, nameOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import type { NestedEntry, Place, PlaceParts } from '../context/place.ts';
import { contentText, summaryOf } from '../observe/message-text.ts';
import type { ModelCalls } from '../observe/model-calls.ts';
import { codeResult, toolOutcome } from '../observe/signals.ts';
import type { AdmissionController } from './admission-controller.ts';

type Of<K extends Activity['kind']> = Activity & { readonly kind: K };
type Step = Of<'nested-chat' | 'model-request' | 'tool-call' | 'code-execution' | 'human-input'>;

/** Runs chats, turns and steps at a place of their own: asks for steps, reports them, and ends waits of a stopped run. */
export class StepRunner {
  readonly #context: ChatContext;
  readonly #admission: AdmissionController;
  readonly #calls: ModelCalls;
  /** Chats that are entered: both parties have taps, and either of them may be all that is guarded. */
  readonly #chats: WeakSet<object> = new WeakSet();

  constructor(context: ChatContext, admission: AdmissionController, calls: ModelCalls) {
    this.#context = context;
    this.#admission = admission;
    this.#calls = calls;
  }

  /** Runs the work of an activity. */
  async around<T>(activity: Activity, work: StepWork<T>): Promise<T> {
    const { kind, hiddenFor } = activity;
    // What hidden agents say to one another belongs to the turn of their manager.
    const isHidden = hiddenFor !== null && (kind === 'chat' || kind === 'turn');
    if (isHidden || kind === 'selection') return work();
    try {
      if (kind === 'chat') return await this.#chat(activity, work);
      if (kind === 'turn') return await this.#turn(activity, work);
      return await this.#step(activity, work);
    } catch (error) {
      throw this.#context.refusedBy(error);
    }
  }

  #chat<T>(chat: Of<'chat'>, work: StepWork<T>): Promise<T> {
    if (this.#chats.has(chat)) return work();
    this.#chats.add(chat);
    const { agent, recipient } = chat;
    const { scope, place } = this.#context;
    if (scope === undefined) return this.#outermost(chat, work);
    const { queue, tool, turn } = place.parts;
    const isQueued = queue?.entries.some(
      (entry) => entry.recipient === recipient && (entry.sender ?? queue.owner) === agent,
    );
    if (isQueued) return this.#at(scope, {}, work);
    const opener = nameOf(turn?.agent ?? agent);
    return runNested(this.#context, {
      name: nameOf(recipient),
      agent: opener,
      trigger: tool === undefined ? `reply:${opener}` : `tool:${tool}`,
      local: this.#context.newPlace(),
      work: () => work(),
      summary: summaryOf,
    });
  }

  async #outermost<T>(chat: Of<'chat'>, work: StepWork<T>): Promise<T> {
    const { agent, recipient, signal } = chat;
    const context = this.#context;
    const record = await context.beginRecord();
    const run = context.openRun({
      restartsLimits: context.limits === 'run',
      dropsNudges: false,
    });
    const scope: Scope<Place> = { run, depth: 0, path: [nameOf(agent)] };
    const isTask = context.options.isTaskFromPerson || isOutside(agent, recipient);
    const task = isTask ? ([agent, recipient] as const) : undefined;
    let failure: Pick<RunEnd, 'error'> = {};
    try {
      return await this.#at(scope, { task }, work);
    } catch (error) {
      failure = { error };
      throw error;
    } finally {
      context.within(scope, () => context.probe?.runEnded(run));
      context.closeRun(run);
      await record({ ...failure, trip: run.trip, isGivenUp: signal?.aborted === true });
    }
  }

  #turn<T>(activity: Of<'turn'>, work: StepWork<T>): Promise<T> {
    const turn = this.#admission.turnOf(activity);
    if (turn === undefined) return work();
    const { permit } = turn.probe ?? {};
    const scope = this.#context.scopeFor(nameOf(activity.agent));
    return this.#at({ ...scope, ...(permit && { permit }) }, { turn }, work);
  }

  async #step<T>(step: Step, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const agent = nameOf(step.agent);
    const { turn } = context.place;
    const scope = context.scopeFor(agent);
    const at =
      (parts: PlaceParts): StepWork<T> =>
      (signal) =>
        this.#at(scope, { turn, ...parts }, () => work(signal));
    if (step.kind === 'human-input') return this.#person(at({}));
    const { stepTrip } = context;
    const { signal } = step;
    if (stepTrip !== undefined) throw new TrippedError(stepTrip);
    switch (step.kind) {
      case 'model-request':
        return this.#calls.make(step, (call, signal) => at({ call })(signal));
      case 'tool-call': {
        const { name, callId, arguments: args } = step;
        const tool = name || 'unknown';
        const call = { tool, args: readJson(args), signal, ...(callId !== null && { callId }) };
        const by = turn?.actsFor ?? agent;
        const outcomeOf = toolOutcome;
        return callTool(context, { agent: by, ...call, work: at({ tool: name }), outcomeOf });
      }
      case 'code-execution': {
        const block = joinBlocks(step.blocks);
        return runCode(context, { agent, block, signal, work: at({}), resultOf: codeResult });
      }
      case 'nested-chat': {
        const { queue, trigger } = step;
        const first = queue[0]?.message;
        return runNested(context, {
          name: queueName(queue),
          agent,
          trigger: `reply:${agent}`,
          text: (typeof first === 'string' ? first : contentText(trigger?.content)) || undefined,
          local: context.newPlace({ queue: { owner: step.agent, entries: queue } }),
          work: () => work(),
          summary: summaryOf,
        });
      }
    }
  }

  #person<T>(work: StepWork<T>): Promise<T> {
    const { run } = this.#context.scope ?? {};
    return this.#context.untilStopped(run instanceof OutermostRun ? run.person(work) : work());
  }

  #at<T>(scope: Scope<Place>, parts: PlaceParts, work: StepWork<T>): Promise<T> {
    return this.#context.within({ ...scope, local: this.#context.newPlace(parts) }, () => work());
  }
}

/** The name of a nested queue: the names of its recipients. */
function queueName(queue: readonly NestedEntry[]): string {
  return [...new Set(queue.map(({ recipient }) => nameOf(recipient)))].join('+') || 'nested';
}

/** Whether an agent hands a group its task without being a member: in all other chats it takes part in what is said. */
function isOutside(agent: object, recipient: object): boolean {
  return groupOf(recipient)?.includes(agent) === false;
}
