import { randomUUID } from 'node:crypto';
import type { StepKind } from './step.ts';

/** Work of a team or an agent inside the work of another one. */
export interface NestedInfo<R, L, T = R> {
  /** The name of the team or agent that works. */
  readonly name: string;
  /** The agent that set it off. */
  readonly agent: string;
  /** How it was set off. @defaultValue `tool:` and the tool's name inside a tool, else `agent:` and the agent's name */
  readonly trigger?: string;
  /** The task. */
  readonly text?: string | undefined;
  /** The part of the place inside that belongs to the adapter. @defaultValue the one around */
  readonly local?: L | undefined;
  /** The text that the work came back with. @defaultValue none */
  readonly summary?: ((value: R) => string | undefined) | undefined;
  /** The text that it has come back with so far, for work that streams. */
  readonly said?: () => string | undefined;
  /** Receives what comes of the work, at its place. */
  readonly onItem?: ((item: T) => void) | undefined;
}

/** Nested work, whole or streamed: it goes on one level deeper, and its end is reported. */
export function nestedRun<R, L, T = R>(info: NestedInfo<R, L, T>): StepKind<R, L, T> {
  const { name, agent, trigger, text, local, summary, said, onItem } = info;
  return {
    at(context) {
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
        onItem,
        report: (outcome) => {
          const isDone = outcome !== undefined && 'value' in outcome;
          const last = said?.() ?? (isDone ? summary?.(outcome.value) : undefined);
          const end = { at: context.breaker.now(), agent: name, ...chat };
          return { kind: 'nested-end', ...end, ...(last !== undefined && { text: last }) };
        },
      };
    },
  };
}
