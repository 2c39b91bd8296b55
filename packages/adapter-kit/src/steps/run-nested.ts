import { randomUUID } from 'node:crypto';
import type { NestedEndSignal, NestedStartSignal } from '@teamfuse/core/kit';
import type { GuardContext } from '../context/guard-context.ts';
import type { Scope } from '../context/scope.ts';

/** Work of a team or an agent inside the work of another one. */
export interface NestedWork<T, L> {
  /** The name of the team or agent that works. */
  readonly name: string;
  /** The agent that set it off. */
  readonly agent: string;
  /** How it was set off. @defaultValue `tool:` and the tool's name inside a tool, else `agent:` and the agent's name */
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
export function runNested<T, L>(
  context: GuardContext<L>,
  { work, summary, ...info }: NestedWork<T, L>,
): Promise<T> {
  if (!context.isActive) return work();
  const { request, scope, end } = nestedStep(context, info);
  return context.step(request, work, {
    scope,
    report: (outcome) => end('value' in outcome ? summary?.(outcome.value) : undefined),
  });
}

/** What is asked for nested work, its place, and the signal of its end. */
export interface NestedStep<L> {
  readonly request: NestedStartSignal;
  readonly scope: Scope<L>;
  readonly end: (said: string | undefined) => NestedEndSignal;
}

/** Nested work as a step at the current place. */
export function nestedStep<L>(
  context: GuardContext<L>,
  { name, agent, trigger, text, local }: Omit<NestedWork<unknown, L>, 'work' | 'summary'>,
): NestedStep<L> {
  const { agent: _, tool, ...around } = context.scope ?? context.looseScope(agent);
  const depth = around.depth + 1;
  const path = [...around.path, name];
  const chat = { chatId: `${name}#${randomUUID()}`, depth, path };
  const by = trigger ?? (tool === undefined ? `agent:${agent}` : `tool:${tool}`);
  const at = context.breaker.now();
  const task = text !== undefined && { text };
  return {
    request: { kind: 'nested-start', at, agent, ...chat, trigger: by, ...task },
    scope: { ...around, depth, path, ...(local !== undefined && { local }) },
    end: (said) => {
      const end = { at: context.breaker.now(), agent: name, ...chat };
      return { kind: 'nested-end', ...end, ...(said !== undefined && { text: said }) };
    },
  };
}
