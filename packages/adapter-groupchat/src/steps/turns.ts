import type { Scope } from '@teamfuse/adapter-kit';
import { FREE_PERMIT, isPromise, type MaybePromise, type Permit } from '@teamfuse/core/kit';
import type { Step, StepWork } from '@teamfuse/groupchat';
import { nameOf, type ViewedMessage, viewOf } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import { groupOf } from '../context/group-of.ts';
import type { Place, Turn } from '../context/place.ts';
import { asksForCalls } from '../observe/message-text.ts';

type TurnStep = Step & { readonly kind: 'turn' };

/** Takes the turns of agents: asks for them, and lets one be the probe of a circuit that has cooled down. */
export class Turns {
  readonly #context: ChatContext;

  constructor(context: ChatContext) {
    this.#context = context;
  }

  /** @throws TrippedError when the turn is refused. */
  take<T>(step: TurnStep, work: StepWork<T>): Promise<T> {
    const context = this.#context;
    const { agent, sender, messages } = step;
    const own = nameOf(agent);
    const last = messages.at(-1);
    const isCalled = last !== undefined && asksForCalls(last);
    const { probe } = context;
    const continued = isCalled && probe?.awaitsCalls ? probe : undefined;
    // A reply that was never sent must not hold up the next turn.
    if (continued === undefined && probe?.isAnswered) probe.end();
    const turn: Turn = {
      agent,
      sender,
      actsFor: isCalled ? callerOf(last, own, sender) : own,
      around: context.place,
      probe: continued,
      notice: undefined,
    };
    const asksModel = isCalled || Boolean(viewOf(agent).client);
    const asked = context.leavesProbeToMember(agent) ? undefined : this.#admit(turn, asksModel);
    const begin = (permit: Permit | undefined): Promise<T> => {
      const taken = context.at(this.#scopeOf(turn, own), { turn }, work);
      return permit === undefined ? taken : taken.finally(() => permit.release());
    };
    return isPromise(asked) ? asked.then(begin) : begin(asked);
  }

  /** Returns the permit that ends with the turn. A refused turn still runs if its reply is to give the team the reason. */
  #admit(turn: Turn, asksModel: boolean): MaybePromise<Permit | undefined> {
    const context = this.#context;
    const request = { kind: 'turn', ...context.originOf(turn.actsFor) } as const;
    const admitted = (permit: Permit): Permit | undefined => {
      if (permit.isProbe) turn.probe = context.beginProbe(permit, turn);
      return turn.probe === undefined && permit !== FREE_PERMIT
        ? this.#held(turn, permit)
        : undefined;
    };
    const refused = (error: unknown): undefined => {
      turn.notice = context.refusals.noticeOf(error);
      if (turn.notice === undefined) throw error;
    };
    try {
      const scope = this.#scopeOf(turn, turn.actsFor);
      const asked = context.within(scope, () => context.ask(request, { asksModel }));
      return isPromise(asked) ? asked.then(admitted, refused) : admitted(asked);
    } catch (error) {
      return refused(error);
    }
  }

  /** The turn of a manager takes no place: those of its members are asked for in it. */
  #held({ agent }: Turn, permit: Permit): Permit | undefined {
    if (groupOf(agent) === undefined) return permit;
    permit.release();
    return undefined;
  }

  #scopeOf({ probe }: Turn, name: string): Scope<Place> {
    const { run, depth, path, permit, agent, local } = this.#context.scopeFor(name);
    return { run, depth, path, permit: probe === undefined ? permit : probe.permit, agent, local };
  }
}

/** The author of a message that asks for calls. A group shares such a message under its author's name with all others. */
function callerOf({ name }: ViewedMessage, own: string, sender: object | null): string {
  return name || (sender !== null && groupOf(sender) ? own : nameOf(sender)) || own;
}
