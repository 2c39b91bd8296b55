import type { StepKind } from './step.ts';

/** A turn of an agent. */
export interface TurnInfo<T, L> {
  readonly agent: string;
  /** The part of the place inside that belongs to the adapter. @defaultValue the one around */
  readonly local?: L;
  /** Whether it leads to a model call, which may be the last answer of a stopped run. @defaultValue false */
  readonly asksModel?: boolean;
  /**
   * The text of what comes of the turn; `undefined` for pieces, and for what is reported as something else, such as an execution.
   * @defaultValue nothing is reported here
   */
  readonly said?: (value: T) => string | undefined;
  /** Receives what comes of the turn instead, and reports what it says. */
  readonly onItem?: (value: T) => void;
  /** All that comes of the turn while the guard tests itself, always the same. */
  readonly rehearsed?: T;
}

/** A turn of an agent, whole or streamed: it reports the messages that come of it. */
export function turn<T, L>(info: TurnInfo<T, L>): StepKind<unknown, L, T> {
  const { agent, local, said, onItem, asksModel } = info;
  return {
    at(context) {
      const around = context.scope ?? context.looseScope(agent);
      const { run, depth, path, permit } = around;
      const say = (value: T): void => {
        const text = said?.(value);
        if (text === undefined || !context.isActive) return;
        context.observe({ kind: 'message', ...context.originOf(agent), text });
      };
      return {
        request: { kind: 'turn', ...context.originOf(agent) },
        scope: { run, depth, path, permit, agent, local: local ?? around.local },
        asksModel,
        onItem: onItem ?? (said && say),
        rehearsed: context.isRehearsal ? { value: info.rehearsed } : undefined,
      };
    },
  };
}
