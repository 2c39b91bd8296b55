/// <reference lib="esnext.disposable" preserve="true" />
import type { Trip } from '@teamfuse/core';
import type { ForWhom } from '../context/for-whom.ts';
import type { GuardContext } from '../context/guard-context.ts';
import type { TeamModel } from '../judge/team-model.ts';
import { type Rehearsal, rehearse } from './rehearse.ts';
import type { SelfTestReport } from './self-test-report.ts';
import { TapSet } from './tap-set.ts';

/** A guard that is installed on a team. */
export interface Guard extends Disposable {
  /**
   * Why a run was stopped, or the circuit is not closed; `undefined` while the team may continue. Inside {@link Guard.run}, of
   * those runs alone.
   */
  readonly trip: Trip | undefined;
  /**
   * Runs work for a user, a team, an API key, or several of these: all runs that begin inside belong to `breaker.for()` of these
   * names, so that many users at once may share what is guarded. A stream that is opened inside belongs to them wherever it is read.
   *
   * @example
   * ```ts
   * const guard = guardTeam(team, breaker); // once
   * await guard.run({ user: 'ann' }, () => team.run({ task: 'Write a poem' })); // for each request
   * ```
   * @throws InvalidOptionError without any name, or with one that is empty.
   */
  run<T>(whom: ForWhom, work: () => T): T;
  /** Removes all taps. Idempotent; a run under way continues unguarded. */
  uninstall(): void;
  /**
   * Runs work that wraps up, such as a last summary: its model calls may use the reserve of the budget (`reserveUsd`), even after
   * the budget has stopped the team, and one of them as the last answer after any stop, where the breaker has `wrapUp`. Tools, code and nested chats stay refused.
   */
  wrapUp<T>(work: () => T): T;
  /** Sends a known loop through the taps, and checks that it is found and that every tap refuses the steps after it. */
  selfTest(): Promise<SelfTestReport>;
}

/** What an adapter reports about a team that it has tapped. */
export interface Installation<L> extends Omit<Rehearsal<L>, 'taps'> {
  /** The model that a judge may ask. @defaultValue none */
  readonly model?: TeamModel | undefined;
}

/**
 * Puts taps in, and makes a guard of them. `install` returns how the guard rehearses, and the model that a judge may ask.
 *
 * An error of `install`, or of the judge, leaves nothing installed.
 */
export function installGuard<L>(
  context: GuardContext<L>,
  install: (taps: TapSet) => Installation<L>,
): Guard {
  const taps = new TapSet(context);
  const rehearsal = taps.whole(() => {
    const { model, ...installed } = install(taps);
    context.settle(taps.claimed);
    context.lendJudge(model);
    return installed;
  });
  context.listen();
  const uninstall = (): void => {
    context.close();
    taps.undo();
  };
  return {
    get trip() {
      return context.trip;
    },
    run: (whom, work) => context.runFor(whom, work),
    uninstall,
    wrapUp: (work) => context.wrapUp(work),
    [Symbol.dispose]: uninstall,
    selfTest: () => rehearse(context, { ...rehearsal, taps: taps.all }),
  };
}
