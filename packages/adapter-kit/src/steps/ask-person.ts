import type { GuardContext } from '../context/guard-context.ts';
import { OutermostRun } from '../context/run.ts';

/** A question to a person. */
export interface PersonWork {
  readonly work: () => string | Promise<string>;
  /** The agent under whose name the answer is reported. @defaultValue the answer is not reported here */
  readonly agent?: string;
}

/** Waits for a person: that takes no run time, and ends when the run is stopped. */
export async function askPerson(
  context: GuardContext,
  { work, agent }: PersonWork,
): Promise<string> {
  if (!context.isActive) return work();
  const { run } = context.scope ?? {};
  const startedAt = context.breaker.now();
  const asking = run instanceof OutermostRun ? run.person(work) : (async () => work())();
  const text = await context.untilStopped(asking);
  if (agent !== undefined) {
    const origin = context.originOf(agent);
    const waitedMs = Math.max(0, origin.at - startedAt);
    context.observe({ kind: 'human-input', ...origin, text, waitedMs });
  }
  return text;
}
