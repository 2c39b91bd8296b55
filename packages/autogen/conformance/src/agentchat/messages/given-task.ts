import type { JsonObject, RunOptions } from '@teamfuse/agentchat';
import type { MessageSpec, TaskSpec } from '../vector.ts';
import { givenItem } from './given-message.ts';

/** A task as a case gives it; some are no tasks at all, on purpose. */
export function givenTask(spec: TaskSpec | undefined): RunOptions['task'] {
  return taskValue(spec ?? null) as RunOptions['task'];
}

function taskValue(spec: TaskSpec): unknown {
  if (spec === null || typeof spec !== 'object') return spec;
  if (Array.isArray(spec)) return spec.map(taskValue);
  const { invalid, items } = spec as JsonObject;
  if (invalid === 'number') return 42;
  // JavaScript has no second kind of list; what comes nearest is a set.
  if (invalid === 'tuple') return new Set((items as TaskSpec[]).map(taskValue));
  return givenItem(spec as MessageSpec);
}
