import type { Breaker } from '@teamfuse/core';
import { type AgentTap, type GuardReply, viewOf } from './agent-view.ts';
import type { AgentFittings } from './attachment.ts';
import type { GuardableAgent } from './guardable-agent.ts';
import { sessionFor } from './rehearsal.ts';
import { replyGuard } from './reply-guard.ts';
import type { Session } from './session.ts';

/** The guard that fittings belong to, as they see it. */
export interface FittingContext {
  readonly owner: object;
  readonly breaker: Breaker;
  readonly live: Session;
  /** Where an agent cannot let go of its fittings, they do nothing once this is `false`. */
  readonly isInstalled: () => boolean;
  /** Called before each turn that is asked for. */
  readonly beforeTurn: () => void;
}

/** Makes what a guard puts on one agent. */
export function fittingsFor(given: GuardableAgent, context: FittingContext): AgentFittings {
  const { breaker, live, owner, isInstalled, beforeTurn } = context;
  const { failOpen } = live.watch;
  const agent = viewOf(given);
  const sessionOf = (part: object | null): Session | undefined => sessionFor(part, owner, live);

  const decide: GuardReply = (_recipient, messages, sender) => {
    const session = isInstalled() ? sessionOf(messages) : undefined;
    if (!session) return [false, null];
    if (agent.taps) return settled(session.watch.turns.of(given, sender)?.notice);
    if (session === live) failOpen.attempt('admit', beforeTurn);
    session.untappedSpeech.shown(given, sender, messages ?? []);
    return session.untappedTurns.decide(given, sender);
  };
  const tap: AgentTap = {
    observe: (event) => sessionOf(event)?.observation.take(event),
    admit: (attempt) => {
      const session = sessionOf(attempt);
      if (session === live && attempt.kind === 'turn') failOpen.attempt('admit', beforeTurn);
      return session?.admission.answer(attempt);
    },
  };
  return {
    replyGuard: replyGuard(breaker, decide),
    tap,
    beforeReply: (messages) => {
      if (!isInstalled()) return messages;
      return failOpen.attempt('warn', () => live.watch.nudges.into(messages, agent)) ?? messages;
    },
    beforeSend: (outgoing) => {
      const part = typeof outgoing.message === 'string' ? null : outgoing.message;
      const session = isInstalled() ? sessionOf(part) : undefined;
      session?.untappedSpeech.sent(given, outgoing);
      return outgoing.message;
    },
  };
}

function settled(notice: string | undefined): readonly [boolean, string | null] {
  return notice === undefined ? [false, null] : [true, notice];
}
