import type { ModelCall } from '@teamfuse/adapter-kit';
import type { Probe } from './probe.ts';

/** One agent's turn, from its admission until its reply is sent. */
export interface Turn {
  readonly agent: object;
  /** The agent that asks for the reply; `null` without one. */
  readonly sender: object | null;
  /** The agent it is taken for: the agent itself, or the one whose calls it carries out. */
  readonly actsFor: string;
  /** The place in which the reply was asked for, and in which it is sent. */
  readonly around: Place;
  /** The probe that it is, or whose calls it carries out. */
  probe: Probe | undefined;
  /** The text that reports a trip to the team instead of a reply. */
  notice: string | undefined;
}

/** The part of a chat in a nested queue that a guard reads. */
export interface NestedEntry {
  readonly sender?: object | undefined;
  readonly recipient: object;
}

/** The contents of a {@link Place}. */
export interface PlaceParts {
  readonly turn?: Turn | undefined;
  /** The model call under way. */
  readonly call?: ModelCall;
  /** The nested queue that is running, and the agent it belongs to. */
  readonly queue?: { readonly owner: object; readonly entries: readonly NestedEntry[] };
  /** The two agents of an outermost chat, if it begins with a task that the first one gives to the second one. */
  readonly task?: readonly [sender: object, recipient: object] | undefined;
}

/** The part of a scope that belongs to this adapter: one activity of an agent, as the code inside it sees it. */
export class Place {
  readonly startedAt: number;
  readonly turn: Turn | undefined;
  readonly call: ModelCall | undefined;
  readonly queue: PlaceParts['queue'];
  #answered: WeakMap<object, Turn> | undefined;
  #task: PlaceParts['task'];

  constructor(startedAt: number, { turn, call, queue, task }: PlaceParts = {}) {
    this.startedAt = startedAt;
    this.turn = turn;
    this.call = call;
    this.queue = queue;
    this.#task = task;
  }

  /** Whether a message is the task that an outermost chat begins with; true once. */
  takeTask(sender: object, recipient: object): boolean {
    if (this.#task?.[0] !== sender || this.#task[1] !== recipient) return false;
    this.#task = undefined;
    return true;
  }

  /** The reply of a turn is settled, and about to be sent. */
  answered(agent: object, turn: Turn): void {
    this.#answered ??= new WeakMap();
    this.#answered.set(agent, turn);
  }

  /** The turn of an agent whose reply to a peer is being sent; returned once. */
  takeAnswered(agent: object, peer: object | null): Turn | undefined {
    const turn = this.#answered?.get(agent);
    if (turn?.sender !== peer) return undefined;
    this.#answered?.delete(agent);
    return turn;
  }
}
