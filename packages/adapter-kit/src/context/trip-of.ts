import type { Trip } from '@teamfuse/core';
import type { Run } from './scope.ts';

const runs: WeakMap<object, Run> = new WeakMap();

/** Notes which run a result, or a part of it, comes from. */
export function comesFrom(run: Run, ...results: readonly object[]): void {
  for (const result of results) runs.set(result, run);
}

/** Why the run was stopped that one of these results comes from, the first one that is known. */
export function tripOfRun(...results: readonly unknown[]): Trip | undefined {
  return results.map((result) => runs.get(Object(result))).find(Boolean)?.trip;
}
