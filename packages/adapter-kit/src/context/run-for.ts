import type { Breaker } from '@teamfuse/core';
import { functionOf } from '@teamfuse/core/options';
import { checkBreaker } from '../install/check-breaker.ts';
import { type ForWhom, tenantOf } from './for-whom.ts';
import { SharedState } from './shared-state.ts';

/**
 * Runs work for a user, a team, an API key, or several of these: all runs of the breaker's guards that begin inside belong to
 * `breaker.for()` of these names. It is `guard.run()` for what has no guard of its own, such as guarded models.
 *
 * Inside a run of the same names, work stays nested in it, unless it names a conversation.
 *
 * @throws {@link GuardInstallError} for anything that is no breaker.
 * @throws {@link InvalidOptionError} without any name, or with one that is empty.
 */
export function runFor<T>(breaker: Breaker, whom: ForWhom, work: () => T): T {
  const shared = SharedState.of(checkBreaker('the work', breaker));
  const tenant = tenantOf(breaker, whom);
  functionOf('work', work);
  const { scope } = shared;
  const isOwn = shared.tenant?.breaker === tenant.breaker && tenant.conversation === undefined;
  const isNested = scope !== undefined && (scope.run.isRehearsal === true || isOwn);
  return isNested ? work() : shared.enterFor(tenant, work);
}
