import type { GuardContext } from './guard-context.ts';
import { OutermostRun } from './run.ts';

/** Waits for a person: that takes no run time, and ends when the run is stopped. */
export function askPerson<T>(context: GuardContext, ask: () => T | Promise<T>): Promise<T> {
  const { run } = context.scope ?? {};
  const asking = run instanceof OutermostRun ? run.person(ask) : (async () => ask())();
  return context.untilStopped(asking);
}
