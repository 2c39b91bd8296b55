import { FakeClock } from '@teamfuse/testing';
import { Breaker, type BudgetOptions } from '../../src/index.ts';
import { modelRequest, usage } from '../support/signals.ts';

export const HOUR = 3_600_000;
export const BY_NAME: BudgetOptions = { users: { ann: { perDay: { maxUsd: 1 } } } };

interface Spending {
  readonly clock: FakeClock;
  readonly breaker: Breaker;
  /** Makes a call in a conversation of its own. Returns the purse that refuses it. */
  readonly spend: (user?: string, usd?: number) => Promise<string | undefined>;
  readonly goTo: (time: string) => void;
}

/** A breaker whose calls cost a dollar each, at a time in UTC. */
export function spending(budget: BudgetOptions, start: string): Spending {
  const clock = new FakeClock(Date.parse(start));
  const breaker = new Breaker({ budget, now: clock.now, timers: clock.timers });
  let calls = 0;
  const spend = async (user = 'ann', usd = 1): Promise<string | undefined> => {
    const requestId = String(++calls);
    const chat = breaker.for({ user }).conversation(requestId);
    const at = clock.now();
    const admission = await chat.admit(modelRequest({ at, requestId, estimatedCostUsd: usd }));
    if (!admission.isAdmitted) return admission.trip.evidence.purse ?? 'the whole';
    chat.observe(usage({ at, requestId, costUsd: usd }));
    return undefined;
  };
  const goTo = (time: string): void => clock.advance(Date.parse(time) - clock.now());
  return { clock, breaker, spend, goTo };
}

/** The names of all purses in the books of a breaker. */
export function pursesOf(breaker: Breaker): ReadonlySet<string> {
  const { memory } = breaker.snapshot().spend as unknown as {
    readonly memory: { readonly purses: readonly (readonly [string])[] };
  };
  return new Set(memory.purses.map(([name]) => name));
}
