import { turnSignals } from '@teamfuse/cli';
import type { Source } from '../conversations/read-sources.ts';
import { TELLINGS, type Telling } from '../conversations/tellings.ts';
import type { Trace } from '../conversations/trace.ts';
import { type OutcomeScore, OutcomeTally } from './outcome-tally.ts';
import { type Saved, savedBy } from './score-traces.ts';
import { firstStop, type StopPolicy } from './watcher.ts';

/** What a policy did to the runs of one source, told in one way. */
export interface SourceScore {
  readonly source: string;
  readonly telling: string;
  readonly policy: string;
  readonly successes: OutcomeScore;
  readonly failures: OutcomeScore;
}

/**
 * Runs the recordings of a source whose outcome is known past policies, told in each way. A run that a telling leaves as it was
 * recorded is not run again: what came of it counts there, too. Tellings that change no run at all are left out.
 */
export async function scoreOutcomes(
  { name: source, traces }: Source,
  policies: readonly StopPolicy[],
  tellings: readonly Telling[] = TELLINGS,
): Promise<SourceScore[]> {
  const known = traces.filter(({ outcome }) => outcome === 'success' || outcome === 'fail');
  const tables = tellings.map(() => policies.map(() => new RunTallies()));
  for (const trace of known) await tellTrace(trace, policies, tellings, tables);
  return tables.flatMap((table, t) => {
    if (!table.some((tallies) => tallies.isTold)) return [];
    const telling = tellings[t]?.name ?? '';
    return table.map((tallies, p) => ({
      source,
      telling,
      policy: policies[p]?.name ?? '',
      successes: tallies.successes.score,
      failures: tallies.failures.score,
    }));
  });
}

/** The tallies of a policy: of the runs that succeeded, and of those that failed. */
class RunTallies {
  readonly successes: OutcomeTally = new OutcomeTally();
  readonly failures: OutcomeTally = new OutcomeTally();

  get isTold(): boolean {
    return this.successes.score.told + this.failures.score.told > 0;
  }

  of(outcome: string): OutcomeTally {
    return outcome === 'success' ? this.successes : this.failures;
  }
}

async function tellTrace(
  trace: Trace,
  policies: readonly StopPolicy[],
  tellings: readonly Telling[],
  tables: readonly (readonly RunTallies[])[],
): Promise<void> {
  const recorded = turnSignals(trace.turns);
  const whole = savedBy(trace, -1);
  const unchanged = new Map<StopPolicy, Saved | undefined>();
  for (const [t, telling] of tellings.entries()) {
    const told = telling.tell(recorded);
    const signals = told.map(({ signal }) => signal);
    for (const [p, policy] of policies.entries()) {
      const isTold = told !== recorded || !unchanged.has(policy);
      let saved = unchanged.get(policy);
      if (isTold) {
        const stop = await firstStop(policy, signals, {});
        saved = stop && savedBy(trace, told[stop.index]?.turn ?? 0);
      }
      if (told === recorded) unchanged.set(policy, saved);
      tables[t]?.[p]?.of(trace.outcome).add(whole, saved, isTold);
    }
  }
}
