import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { GuardedRuns } from './guarded-runs.ts';
import { modelOfRunner } from './judge-model.ts';
import type { Context } from './place.ts';
import { type GuardableRunner, isRunner, type RunnerClass } from './shapes.ts';

/**
 * Guards all runs of a runner, or of all runners if given the class `Runner`, that of `run()` included: every model call and tool
 * call, after hand-offs and in agents that are tools, too. A run that trips ends before its next model call with the history that
 * it has; `tripOf(result)` says why. A run that has no answer yet is refused with a `TrippedError`.
 *
 * @throws {@link GuardInstallError} when it is no runner.
 */
export function guardRunner(
  runner: GuardableRunner | RunnerClass,
  breaker: Breaker,
  options?: kit.GuardOptions,
): kit.AgentGuard {
  const context: Context = new kit.GuardContext(kit.checkBreaker('the runner', breaker), options, {
    canWrapUp: true,
  });
  const runs = new GuardedRuns(context);
  const guard = kit.installGuard(context, (taps) => {
    const target = targetOf(runner);
    taps.claim(target, OWNER);
    const run = runs.tapped(target, { isOutermost: true });
    const rehearsal = () => run.call(target as GuardableRunner, REHEARSED, '');
    taps.replace(target, OWNER, 'run', run, [rehearsal]);
    const model = isRunner(target) ? modelOfRunner(target) : undefined;
    return { round: rehearsal, speakers: ['run'], model };
  });
  return kit.agentGuard(context, guard);
}

const OWNER = 'the runner';
/** Stands for any agent while the guard tests itself. */
const REHEARSED = { name: 'agent', getAllTools: async () => [] };

function targetOf(runner: GuardableRunner | RunnerClass): object {
  if (isRunner(runner)) return runner;
  const { prototype } = kit.readOr<Partial<RunnerClass>>({}, () => ({
    prototype: Object(runner).prototype,
  }));
  if (kit.hasMethods(prototype, 'run', 'on', 'off')) return prototype;
  throw new GuardInstallError(OWNER, `a Runner; received ${kit.describe(runner)}`);
}

/** Why the run was stopped that a result comes from. `undefined` if it was not stopped, or not yet. */
export function tripOf(result: unknown): Trip | undefined {
  return kit.tripOfRun(result);
}
