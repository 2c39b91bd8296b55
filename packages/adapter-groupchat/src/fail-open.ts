import type { CheckedOptions, GuardActivity } from './guard-options.ts';

/**
 * Keeps failures of the guard and of the breaker away from the team.
 *
 * Watching fails open: what cannot be observed or asked is reported, and the run goes on. A refusal is no failure.
 */
export class FailOpen {
  readonly #onError: CheckedOptions['onError'];

  constructor({ onError }: Pick<CheckedOptions, 'onError'>) {
    this.#onError = onError;
  }

  /** Does something for the guard; a failure is reported, and `undefined` comes back. */
  attempt<T>(during: GuardActivity, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.report(during, error);
      return undefined;
    }
  }

  /** Reports a failure. A handler that throws has nobody left to be told. */
  report(during: GuardActivity, error: unknown): void {
    try {
      this.#onError({ during, error });
    } catch {}
  }
}
