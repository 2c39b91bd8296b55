import { breakerFromPolicy, type Policy, policyFor } from '@teamfuse/config';
import { Breaker } from '@teamfuse/core';
import { shared } from '@teamfuse/stores/fleet';
import { cleanForTerminal } from '../output/clean.ts';
import type { SharedBooks } from './books/shared-books.ts';

/** What breakers have beside their policy. */
interface BreakerParts {
  readonly judge?: boolean | string | undefined;
  /** Where spend is kept; without, in memory. */
  readonly books?: SharedBooks | undefined;
}

/** What else goes wrong with a breaker has a line of its own already, or none. */
const TOLD: readonly string[] = ['judge', 'recording'];

/** A breaker for each team of the policy, by its name, and one for all who name none. */
export async function breakersOf(
  policy: Policy | undefined,
  parts: BreakerParts,
): Promise<ReadonlyMap<string, Breaker>> {
  const breakers = new Map([['', await made(policy, undefined, parts)]]);
  for (const team of Object.keys(policy?.teams ?? {})) {
    breakers.set(team, await made(policy, team, parts));
  }
  for (const breaker of breakers.values()) {
    breaker.on('trip', ({ conversation, kind, reason }) => {
      // Who stops by hand knows.
      if (kind !== 'manual') console.error(cleanForTerminal(`stopped ${conversation}: ${reason}`));
    });
    breaker.on('error', ({ error, during }) => {
      if (TOLD.includes(during)) console.error(cleanForTerminal(`${during}: ${messageOf(error)}`));
    });
  }
  return breakers;
}

async function made(
  policy: Policy | undefined,
  team: string | undefined,
  { judge, books }: BreakerParts,
): Promise<Breaker> {
  const { budget } = policy === undefined ? {} : policyFor(policy, team);
  const store = await books?.of(team ?? '', budget);
  const circuits = books?.circuitsOf(team ?? '');
  const code = {
    ...(judge !== undefined && { judge }),
    ...(store && { budget: { store } }),
    ...(circuits && { circuits: shared(circuits) }),
  };
  return policy === undefined ? new Breaker(code) : breakerFromPolicy(policy, { team, ...code });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
