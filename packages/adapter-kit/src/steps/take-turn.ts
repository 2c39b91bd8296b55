import type { GuardContext } from '../context/guard-context.ts';

/** A turn of an agent. */
export interface TurnWork<T, L> {
  readonly agent: string;
  /** The part of the place inside that belongs to the adapter. @defaultValue the one around */
  readonly local?: L;
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
export async function takeTurn<T, L>(
  context: GuardContext<L>,
  { agent, local, work, said, rehearsed }: TurnWork<T, L>,
): Promise<T> {
  if (!context.isActive) return work();
  const around = context.scope ?? context.looseScope(agent);
  return context.step(
    { kind: 'turn', ...context.originOf(agent) },
    () => (context.isRehearsal ? rehearsed : work()),
    {
      scope: { ...around, agent, ...(local !== undefined && { local }) },
      report: (outcome) => {
        const text = 'value' in outcome ? said(outcome.value) : undefined;
        return text === undefined || !context.isActive
          ? undefined
          : { kind: 'message', ...context.originOf(agent), text };
      },
    },
  );
}
