import type { AdmissionRequest } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import type { Scope } from '../context/scope.ts';

/** A turn of an agent, whatever way it is taken. */
export interface TurnInfo<L> {
  readonly agent: string;
  /** The part of the place inside that belongs to the adapter. @defaultValue the one around */
  readonly local?: L;
}

/** A turn of an agent. */
export interface TurnWork<T, L> extends TurnInfo<L> {
  readonly work: () => Promise<T>;
  /** The text that the turn has said; `undefined` if that is reported as something else, such as an execution. */
  readonly said: (value: T) => string | undefined;
  /** The answer of the turn while the guard tests itself, always the same. */
  readonly rehearsed: T;
}

/**
 * Takes a turn: asks for it, and reports the message that it ends with.
 *
 * @throws TrippedError when the turn, or a step inside, is refused.
 */
export async function takeTurn<T, L>(context: GuardContext<L>, turn: TurnWork<T, L>): Promise<T> {
  const { work, said, agent } = turn;
  if (!context.isActive) return work();
  const { request, scope } = turnStep(context, turn);
  return context.step(request, () => (context.isRehearsal ? turn.rehearsed : work()), {
    scope,
    report: (outcome) => {
      const text = 'value' in outcome ? said(outcome.value) : undefined;
      return text === undefined || !context.isActive
        ? undefined
        : { kind: 'message', ...context.originOf(agent), text };
    },
  });
}

/** What is asked for a turn, and its place. */
export interface TurnStep<L> {
  readonly request: AdmissionRequest;
  readonly scope: Scope<L>;
}

/** A turn as a step at the current place. */
export function turnStep<L>(context: GuardContext<L>, { agent, local }: TurnInfo<L>): TurnStep<L> {
  const around = context.scope ?? context.looseScope(agent);
  const { run, depth, path, permit } = around;
  return {
    request: { kind: 'turn', ...context.originOf(agent) },
    scope: { run, depth, path, permit, agent, local: local ?? around.local },
  };
}
