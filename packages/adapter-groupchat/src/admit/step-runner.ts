import { OutermostRun, type Scope } from '@teamfuse/adapter-kit';
import type { Activity, StepWork } from '@teamfuse/groupchat';
import { groupOf, nameOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import type { Place, PlaceParts } from '../context/place.ts';
import type { ModelCalls } from '../observe/model-calls.ts';
import type { AdmissionController } from './admission-controller.ts';
import { queueId } from './step-requests.ts';

type Of<K extends Activity['kind']> = Activity & { readonly kind: K };

/** Runs chats, turns and steps at a place of their own, and ends waits of a run that is stopped. */
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
  around<T>(activity: Activity, work: StepWork<T>): Promise<T> {
    const { agent, hiddenFor } = activity;
    const { turn } = this.#context.place;
    switch (activity.kind) {
      case 'chat':
        // What hidden agents say to one another belongs to the turn of their manager.
        return hiddenFor === null && this.#isFirst(activity) ? this.#chat(activity, work) : work();
      case 'turn':
        return hiddenFor === null ? this.#turn(activity, work) : work();
      case 'nested-chat': {
        const queue = { owner: agent, entries: activity.queue };
        return this.#at(this.#nested(agent, queueId(activity.queue)), { queue }, work);
      }
      case 'model-request':
        return this.#model(activity, work);
      case 'tool-call':
        return this.#leaf(agent, { turn, tool: activity.name }, work);
      case 'code-execution':
        return this.#leaf(agent, { turn }, work);
      case 'human-input':
        return this.#person(agent, work);
      default:
        return work();
    }
  }

  #isFirst(chat: object): boolean {
    const isFirst = !this.#chats.has(chat);
    this.#chats.add(chat);
    return isFirst;
  }

  #chat<T>({ agent, recipient }: Of<'chat'>, work: StepWork<T>): Promise<T> {
    const { scope, place } = this.#context;
    if (scope === undefined) return this.#outermost(agent, recipient, work);
    const { queue, tool, turn } = place.parts;
    const isQueued = queue?.entries.some(
      (entry) => entry.recipient === recipient && (entry.sender ?? queue.owner) === agent,
    );
    if (isQueued) return this.#at(scope, {}, work);
    const opener = nameOf(turn?.agent ?? agent);
    const trigger = tool === undefined ? `reply:${opener}` : `tool:${tool}`;
    return this.#at(this.#nested(agent, nameOf(recipient)), { opener }, () => {
      this.#reportInner(opener, trigger);
      return work();
    });
  }

  async #outermost<T>(agent: object, recipient: object, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const run = context.openRun({
      restartsLimits: context.limits === 'run',
      dropsNudges: false,
    });
    const scope: Scope<Place> = { run, depth: 0, path: [nameOf(agent)] };
    const isTask = context.options.isTaskFromPerson || isOutside(agent, recipient);
    const task = isTask ? ([agent, recipient] as const) : undefined;
    try {
      return await this.#at(scope, { task }, async () => {
        try {
          return await work();
        } finally {
          context.probe?.runEnded(run);
        }
      });
    } finally {
      context.closeRun(run);
    }
  }

  async #turn<T>(activity: Of<'turn'>, work: StepWork<T>): Promise<T> {
    const turn = this.#admission.turnOf(activity);
    if (turn === undefined) return work();
    const { permit } = turn.probe ?? {};
    const scope = this.#context.scopeFor(nameOf(activity.agent));
    return this.#at({ ...scope, ...(permit && { permit }) }, { turn }, work);
  }

  #model<T>(activity: Of<'model-request'>, work: StepWork<T>): Promise<T> {
    const { place } = this.#context;
    const call = this.#calls.admitted(activity);
    if (call !== undefined) place.begin(call);
    return this.#leaf(activity.agent, { turn: place.turn, call }, work);
  }

  #person<T>(agent: object, work: StepWork<T>): Promise<T> {
    const { run } = this.#context.scopeFor(nameOf(agent));
    const { turn } = this.#context.place;
    const asking = (): Promise<T> => (run instanceof OutermostRun ? run.person(work) : work());
    return this.#leaf(agent, { turn }, asking);
  }

  /** Runs a step that may hang: the wait for it ends when the run is stopped. */
  async #leaf<T>(agent: object, parts: PlaceParts, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const scope = context.scopeFor(nameOf(agent));
    const { signal } = scope.run;
    try {
      return await this.#at(scope, parts, () => context.untilStopped(work(signal), signal));
    } catch (error) {
      if (!signal.aborted || error !== signal.reason) throw error;
      parts.call?.left();
      const refusal = context.refusalOf(error);
      throw Object.assign(new Error(refusal.reason, { cause: error }), { refusal });
    }
  }

  #at<T>(scope: Scope<Place>, parts: PlaceParts, work: () => Promise<T>): Promise<T> {
    const place = this.#context.newPlace(parts);
    return this.#context.within({ ...scope, local: place }, async () => {
      try {
        return await work();
      } finally {
        place.end();
      }
    });
  }

  #nested(agent: object, chatId: string): Scope<Place> {
    const scope = this.#context.scopeFor(nameOf(agent));
    return { ...scope, depth: scope.depth + 1, path: [...scope.path, chatId] };
  }

  /** A chat that a tool or a reply function opens by itself: no permission is asked for it. */
  #reportInner(opener: string, trigger: string): void {
    const context = this.#context;
    const { depth, path } = context.scopeFor(opener);
    const chatId = path.at(-1) ?? '';
    const origin = context.originOf(opener);
    context.observe({ kind: 'nested-start', ...origin, depth, path, chatId, trigger });
  }
}

/** Whether an agent hands a group its task without being a member: in all other chats it takes part in what is said. */
function isOutside(agent: object, recipient: object): boolean {
  return groupOf(recipient)?.includes(agent) === false;
}
