import { AsyncLocalStorage } from 'node:async_hooks';

const tested: AsyncLocalStorage<object> = new AsyncLocalStorage();

/** Runs `work` as the self-test of a guard; the other guards on its agents take no part in it. */
export function rehearse<T>(guard: object, work: () => T): T {
  return tested.run(guard, work);
}

/** Whether a self-test is running. */
export function isRehearsing(): boolean {
  return tested.getStore() !== undefined;
}

/** Whether the self-test of another guard is running. */
export function isRehearsedByOthers(guard: object): boolean {
  return (tested.getStore() ?? guard) !== guard;
}
