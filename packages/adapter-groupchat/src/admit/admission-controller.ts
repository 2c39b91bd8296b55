import { tripIn } from '@teamfuse/adapter-kit';
import { TrippedError } from '@teamfuse/core';
import type { Attempt, Refusal } from '@teamfuse/groupchat';
import { groupOf, nameOf, type ViewedMessage } from '../context/agent-view.ts';
import type { ChatContext } from '../context/chat-context.ts';
import type { Turn } from '../context/place.ts';
import { asksForCalls } from '../observe/message-text.ts';

type Of<K extends Attempt['kind']> = Attempt & { readonly kind: K };

/** Answers agents that ask for a turn, or to choose a speaker. */
export class AdmissionController {
  readonly #context: ChatContext;
  readonly #turns: WeakMap<object, Turn> = new WeakMap();

  constructor(context: ChatContext) {
    this.#context = context;
  }

  /** A refusal or permission; an error where trips are thrown. */
  async admit(attempt: Attempt): Promise<Refusal | undefined> {
    const spared = this.#sparedSelection(attempt);
    if (spared !== undefined) return spared;
    try {
      await this.#ask(attempt);
      return undefined;
    } catch (error) {
      return this.#context.refusalOf(error);
    }
  }

  /** The turn that an attempt was admitted as. */
  turnOf(attempt: object): Turn | undefined {
    return this.#turns.get(attempt);
  }

  /** While a turn is to probe, the next agent in the ring speaks: choosing is refused, but the team is not stopped. */
  #sparedSelection({ kind, hiddenFor }: Attempt): Refusal | undefined {
    const { scope, conversation } = this.#context;
    if (kind !== 'model-request' || hiddenFor === null) return undefined;
    if (scope?.run.trip !== undefined || scope?.permit !== undefined) return undefined;
    return conversation.trip && { reason: conversation.trip.reason };
  }

  /** Steps of a turn are asked for where they begin. */
  async #ask(attempt: Attempt): Promise<void> {
    const { onTrip, notice, scope } = this.#context;
    if (attempt.kind === 'turn' && attempt.hiddenFor === null) return this.#turn(attempt);
    // Without a permit of its own: the members' turns are asked for. Only the speaker who tells of a trip is still chosen.
    const isNoticeDue = attempt.kind === 'selection' && onTrip === 'reply' && notice.isDue(scope);
    const isAsked = attempt.kind === 'turn' || attempt.kind === 'selection';
    const trip = scope?.run.trip;
    if (isAsked && !isNoticeDue && trip !== undefined) throw new TrippedError(trip);
  }

  async #turn(attempt: Of<'turn'>): Promise<void> {
    const context = this.#context;
    const { agent, sender, messages } = attempt;
    const last = messages.at(-1);
    const isCalled = last !== undefined && asksForCalls(last);
    const continued = isCalled && context.probe?.awaitsCalls ? context.probe : undefined;
    // A reply that was never sent must not hold up the next turn.
    if (continued === undefined && context.probe?.isAnswered) context.probe.end();
    const own = nameOf(agent);
    const turn: Turn = {
      agent,
      sender,
      actsFor: isCalled ? callerOf(last, own, sender) : own,
      around: context.place,
      probe: continued,
      notice: undefined,
    };
    this.#turns.set(attempt, turn);
    try {
      if (!context.leavesProbeToMember(agent)) await this.#askForTurn(turn);
    } catch (error) {
      const trip = context.onTrip === 'reply' ? tripIn(error) : undefined;
      turn.notice = trip && context.notice.take(trip, context.scope);
      if (turn.notice === undefined) throw error;
    }
  }

  async #askForTurn(turn: Turn): Promise<void> {
    const context = this.#context;
    const request = { kind: 'turn', ...context.originOf(turn.actsFor) } as const;
    const { permit: within } = turn.probe ?? {};
    const scope = within && { ...context.scopeFor(turn.actsFor), permit: within };
    const permit = await context.within(scope, () => context.admit(request));
    if (permit.isProbe) turn.probe = context.beginProbe(permit, turn);
  }
}

/** The author of a message that asks for calls. A group shares such a message under its author's name with all others. */
function callerOf({ name }: ViewedMessage, own: string, sender: object | null): string {
  return name || (sender !== null && groupOf(sender) ? own : nameOf(sender)) || own;
}
