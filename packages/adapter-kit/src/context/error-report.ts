import process from 'node:process';

/** The activity of a guard that failed; `breaker` is an error that the breaker emitted. */
export type GuardActivity = 'observe' | 'admit' | 'warn' | 'breaker';

/** An error inside the guard or the breaker. The team goes on. */
export interface GuardProblem {
  readonly during: GuardActivity;
  readonly error: unknown;
}

/** Receives a {@link GuardProblem}. */
export type ErrorHandler = (problem: GuardProblem) => void;

/** Shows a problem as a process warning. */
export function showWarning({ during, error }: GuardProblem): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const what = during === 'breaker' ? 'The breaker failed' : `The guard failed to ${during}`;
  process.emitWarning(`${what}. ${text}`, 'TeamfuseWarning');
}
