import {
  type AdmissionRequest,
  type MaybePromise,
  readJson,
  type Trip,
  TrippedError,
} from '@teamfuse/core';
import type { Attempt, Refusal } from '@teamfuse/groupchat';
import { nameOf } from './agent-view.ts';
import type { Refused } from './gatekeeper.ts';
import { after } from './maybe-promise.ts';
import { asksForCalls } from './message-text.ts';
import { nestedChatId, nestedScope, type Scope } from './scope.ts';
import { joinedBlocks, nestedStartSignal } from './signals-from-events.ts';
import type { Turn } from './turn.ts';
import type { Watch } from './watch.ts';

type Of<K extends Attempt['kind']> = Attempt & { readonly kind: K };

/** Something an agent would like to begin inside a turn, and that the breaker is asked about. */
type StepAttempt = Exclude<Attempt, { readonly kind: 'turn' | 'selection' }>;

/** Answers agents that would like to begin something. */
export class Admission {
  readonly #watch: Watch;

  constructor(watch: Watch) {
    this.#watch = watch;
  }

  /** A refusal or leave; an error where trips are thrown. */
  answer(attempt: Attempt): MaybePromise<Refusal | undefined> {
    const { failOpen } = this.#watch;
    const spared = failOpen.attempt('admit', () => this.#sparedSelection(attempt));
    if (spared) return { reason: spared.reason };
    const refused = failOpen.attempt('admit', () => {
      this.#watch.seen(attempt.agent);
      if (attempt.kind === 'turn') return after(this.#turn(attempt), asRefused);
      if (attempt.kind === 'selection') return asRefused(this.#selection(attempt));
      return this.#step(attempt);
    });
    const settle = (settled: Refused | undefined): Refusal | undefined =>
      settled && this.#refuse(settled);
    return after(refused, settle);
  }

  #turn({ agent, hiddenFor, sender, messages }: Of<'turn'>): MaybePromise<Trip | undefined> {
    const { chats, turns, gatekeeper } = this.#watch;
    if (hiddenFor) return chats.scopeOf(hiddenFor)?.run.trip;
    const last = messages.at(-1);
    const isCalled = last !== undefined && asksForCalls(last);
    if (!isCalled || !gatekeeper.callingTurn) this.#watch.endStaleProbe();
    const turn = turns.begin({
      agent,
      sender,
      scope: chats.scopeOf(agent, sender),
      actsFor: isCalled ? last.name || nameOf(sender) || undefined : undefined,
      whole: gatekeeper.callingTurn,
    });
    return after(gatekeeper.refuseTurn(turn), (trip) => this.#unlessTold(turn, trip));
  }

  /** Lets a refused turn go on that is to tell the team why. */
  #unlessTold(turn: Turn, trip: Trip | undefined): Trip | undefined {
    const { turns, notices, options } = this.#watch;
    if (trip && options.onTrip === 'reply') turn.notice = notices.take(trip, turn.scope);
    if (!trip || turn.notice !== undefined) return undefined;
    turns.end(turn);
    return trip;
  }

  /** While a turn is to probe, the next in the ring speaks: the answer is no, but nobody has failed. */
  #sparedSelection({ kind, hiddenFor }: Attempt): Trip | undefined {
    if (kind !== 'model-request' || !hiddenFor) return undefined;
    const { chats, turns, gatekeeper } = this.#watch;
    if (chats.scopeOf(hiddenFor)?.run.trip) return undefined;
    return gatekeeper.refuseSelection(turns.of(hiddenFor));
  }

  /** Nobody is chosen any more in a run that has ended, except to tell the team why. */
  #selection({ agent }: Of<'selection'>): Trip | undefined {
    const { chats, notices, options } = this.#watch;
    const scope = chats.scopeOf(agent);
    const isToTell = options.onTrip === 'reply' && notices.isOpen(scope);
    return isToTell ? undefined : scope?.run.trip;
  }

  #step(attempt: StepAttempt): MaybePromise<Refused | undefined> {
    const { chats, turns, gatekeeper, nudges, calls } = this.#watch;
    const actor = attempt.hiddenFor ?? attempt.agent;
    const turn = turns.of(actor);
    const scope = turn?.scope ?? chats.scopeOf(actor);
    const request = this.#request(attempt, turn, scope);
    const begin = (refused: Refused | undefined): Refused | undefined => {
      if (!refused && turn) noteBegun(attempt, turn);
      if (attempt.kind !== 'model-request') return refused;
      if (refused) calls.refused(attempt);
      else nudges.sent(attempt.messages);
      return refused;
    };
    const answer = gatekeeper.refuseStep(request, turn, scope?.run);
    return after(answer, begin);
  }

  #request(
    attempt: StepAttempt,
    turn: Turn | undefined,
    scope: Scope | undefined,
  ): AdmissionRequest {
    const { agent } = attempt;
    const origin = this.#watch.origin(agent, scope?.depth ?? 0);
    switch (attempt.kind) {
      case 'model-request':
        return this.#watch.calls.announce(attempt, origin);
      case 'tool-call': {
        const { name, arguments: args } = attempt;
        const caller = turn?.actsFor ?? origin.agent;
        const tool = name || 'unknown';
        return { kind: 'tool-call', ...origin, agent: caller, tool, args: readJson(args) };
      }
      case 'code-execution':
        return { kind: 'execution', ...origin, ...joinedBlocks(attempt.blocks) };
      case 'nested-chat': {
        const inner = nestedScope(agent, turn, nestedChatId(attempt.queue));
        return nestedStartSignal(attempt, origin, inner);
      }
    }
  }

  #refuse({ reason, trip }: Refused): Refusal {
    if (trip && this.#watch.options.onTrip === 'throw') throw new TrippedError(trip);
    return { reason };
  }
}

function asRefused(trip: Trip | undefined): Refused | undefined {
  return trip && { reason: trip.reason, trip };
}

function noteBegun(attempt: StepAttempt, turn: Turn): void {
  if (attempt.kind === 'tool-call') turn.tools.push(attempt.name);
  else if (attempt.kind !== 'nested-chat') turn.waits += 1;
}
