import type { AdmissionRequest } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import type { Scope } from '../context/scope.ts';

/** A turn of an agent, whatever way it is taken. */
export interface TurnInfo<T, L> {
  readonly agent: string;
  /** The part of the place inside that belongs to the adapter. @defaultValue the one around */
  readonly local?: L;
  /**
   * The text of what comes of the turn; `undefined` for pieces, and for what is reported as something else, such as an execution.
   * @defaultValue nothing is reported here
   */
  readonly said?: (value: T) => string | undefined;
  /** Receives what comes of the turn instead, and reports what it says. */
  readonly heard?: (value: T) => void;
  /** All that comes of the turn while the guard tests itself, always the same. */
  readonly rehearsed: T;
}

/** A turn of an agent. */
export interface TurnWork<T, L> extends TurnInfo<T, L> {
  readonly work: () => Promise<T>;
}

/**
 * Takes a turn: asks for it, and reports the message that it ends with.
 *
 * @throws TrippedError when the turn, or a step inside, is refused.
 */
export function takeTurn<T, L>(context: GuardContext<L>, turn: TurnWork<T, L>): Promise<T> {
  const { work, said, agent } = turn;
  if (!context.isActive) return work();
  const { request, scope } = turnStep(context, turn);
  return context.step(request, () => (context.isRehearsal ? turn.rehearsed : work()), {
    scope,
    report: (outcome) => {
      if (!('value' in outcome)) return undefined;
      turn.heard?.(outcome.value);
      const text = said?.(outcome.value);
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
export function turnStep<L>(
  context: GuardContext<L>,
  { agent, local }: Pick<TurnInfo<unknown, L>, 'agent' | 'local'>,
): TurnStep<L> {
  const around = context.scope ?? context.looseScope(agent);
  const { run, depth, path, permit } = around;
  return {
    request: { kind: 'turn', ...context.originOf(agent) },
    scope: { run, depth, path, permit, agent, local: local ?? around.local },
  };
}
