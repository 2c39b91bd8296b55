import { breakerFromPolicy, type Policy } from '@teamfuse/config';
import { Breaker } from '@teamfuse/core';
import { cleanForTerminal } from '../output/clean.ts';

/** A breaker for each team of the policy, by its name, and one for all who name none. */
export function breakersOf(
  policy: Policy | undefined,
  judge: boolean | string | undefined,
): ReadonlyMap<string, Breaker> {
  const code = judge === undefined ? {} : { judge };
  const made = (team: string | undefined): Breaker =>
    policy === undefined ? new Breaker(code) : breakerFromPolicy(policy, { team, ...code });
  const teams = Object.keys(policy?.teams ?? {}).map((team) => [team, made(team)] as const);
  const breakers = new Map([['', made(undefined)], ...teams]);
  for (const breaker of breakers.values()) {
    breaker.on('trip', ({ conversation, kind, reason }) => {
      // Who stops by hand knows.
      if (kind !== 'manual') console.error(cleanForTerminal(`stopped ${conversation}: ${reason}`));
    });
  }
  return breakers;
}
