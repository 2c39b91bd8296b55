import type { GuardContext } from '../context/guard-context.ts';
import { OutermostRun } from '../context/run.ts';

/** A question to a person. */
export interface PersonWork<T = string> {
  /** Asks the person; `signal` aborts when the caller's signal does, or the run is stopped. */
  readonly work: (signal: AbortSignal | undefined) => T | Promise<T>;
  /** The caller's signal. */
  readonly signal?: AbortSignal | undefined;
  /** The agent under whose name the answer is reported, if it is a text. @defaultValue it is not reported here */
  readonly agent?: string;
}

/** Waits for a person, with the run time paused, until the run is stopped. */
export async function askPerson<T = string>(
  context: GuardContext,
  { work, signal, agent }: PersonWork<T>,
): Promise<T> {
  if (!context.isActive) return work(signal);
  const { run } = context.scope ?? {};
  const startedAt = context.breaker.now();
  const asked = async (): Promise<T> => work(context.abortSignal(signal));
  const answer = await context.untilStopped(
    run instanceof OutermostRun ? run.person(asked) : asked(),
  );
  if (agent !== undefined && typeof answer === 'string') {
    const origin = context.originOf(agent);
    const waitedMs = Math.max(0, origin.at - startedAt);
    context.observe({ kind: 'human-input', ...origin, text: answer, waitedMs });
  }
  return answer;
}
