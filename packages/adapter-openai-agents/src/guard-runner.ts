import * as kit from '@teamfuse/adapter-kit';
import type { Breaker, Trip } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { GuardedRuns } from './guarded-runs.ts';
import { modelOfRunner } from './judge-model.ts';
import type { Context } from './place.ts';
import { type GuardableRunner, isRunner, type RunnerClass } from './shapes.ts';

/** A guard on the runs of a runner. */
export interface RunnerGuard extends kit.Guard {
  /**
   * Runs work that calls the runner several times as one run, such as a writer and a critic in turns.
   *
   * @throws TrippedError when an agent is refused inside.
   */
  run<T>(work: () => Promise<T>, about?: WorkInfo): Promise<T>;
}

/** Work of several agents. */
export interface WorkInfo {
  /** @defaultValue 'run' */
  readonly name?: string;
  /** The task, which is reported. */
  readonly task?: string;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
}

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
): RunnerGuard {
  const context: Context = new kit.GuardContext(kit.checkBreaker('the runner', breaker), options);
  const runs = new GuardedRuns(context);
  const guard = kit.installGuard(context, (taps) => {
    const target = targetOf(runner);
    taps.claim(target, OWNER);
    const run = runs.tapped(target, { isOutermost: true });
    const rehearsal = () => run.call(target as GuardableRunner, REHEARSED, '');
    taps.replace(target, OWNER, 'run', run, [rehearsal]);
    const model = isRunner(target) ? modelOfRunner(target) : undefined;
    return { round: rehearsal, heard: ['run'], model };
  });
  const run: RunnerGuard['run'] = (work, about = {}) => {
    const { name = 'run', ...rest } = about;
    return kit.runWork(context, { name, ...rest, work });
  };
  return Object.defineProperties({ run }, Object.getOwnPropertyDescriptors(guard)) as RunnerGuard;
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
export function tripOf(result: object): Trip | undefined {
  return kit.tripOfRun(result);
}
