import { randomUUID } from 'node:crypto';
import type { GuardContext } from '../context/guard-context.ts';
import type { Scope } from '../context/scope.ts';

/** Work of a team or an agent inside the work of another one. */
export interface NestedWork<T, L> {
  /** The name of the team or agent that works. */
  readonly name: string;
  /** The agent that set it off. */
  readonly agent: string;
  /** How it was set off. @defaultValue `agent:` and the agent's name */
  readonly trigger?: string;
  /** The task. */
  readonly text?: string | undefined;
  /** The part of the place inside that belongs to the adapter. @defaultValue the one around */
  readonly local?: L;
  readonly work: () => Promise<T>;
  /** The text that the work came back with. @defaultValue none */
  readonly summary?: (value: T) => string | undefined;
}

/**
 * Runs nested work: asks for it, works one level deeper, and reports its end.
 *
 * @throws TrippedError when the work is refused.
 */
export async function runNested<T, L>(
  context: GuardContext<L>,
  { name, agent, trigger = `agent:${agent}`, text, local, work, summary }: NestedWork<T, L>,
): Promise<T> {
  if (!context.isActive) return work();
  const { agent: _, ...around } = context.scope ?? context.looseScope(agent);
  const scope: Scope<L> = {
    ...around,
    depth: around.depth + 1,
    path: [...around.path, name],
    ...(local !== undefined && { local }),
  };
  const { depth, path } = scope;
  const chat = { chatId: `${name}#${randomUUID()}`, depth, path };
  const at = context.breaker.now();
  return context.step(
    { kind: 'nested-start', at, agent, ...chat, trigger, ...(text !== undefined && { text }) },
    work,
    {
      scope,
      report: (outcome) => {
        const said = 'value' in outcome ? summary?.(outcome.value) : undefined;
        const end = { at: context.breaker.now(), agent: name, ...chat };
        return { kind: 'nested-end', ...end, ...(said !== undefined && { text: said }) };
      },
    },
  );
}
