import { Breaker } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { tripIn } from '../context/trip-in.ts';
import type { SelfTestReport, TapCheck } from './self-test-report.ts';
import type { InstalledTap } from './tap-set.ts';

const MAX_ROUNDS = 12;

/** The limit that ends the rehearsal's loop even if no detector finds it. */
const MAX_MESSAGES = 12;

const UNNOTICED = 'a known loop was not detected';
const UNHEARD = 'none of its turns was reported as a message';

/** How a guard rehearses. */
export interface Rehearsal<L> {
  readonly taps: readonly InstalledTap[];
  /** Lets each agent take a turn through its taps, all with the same answer. None of the team's code may run. */
  readonly round: () => Promise<unknown>;
  /** The names of members through which the loop goes: those do not work if it is not found. */
  readonly speakers: readonly string[];
  /** Members of the team that the guard could not tap. @defaultValue none */
  readonly unguarded?: readonly string[];
  /** The part of the place that belongs to the adapter. */
  readonly local?: L;
}

/**
 * Sends a known loop through the taps of a guard, and then tries to get past each of them.
 *
 * It uses a separate breaker, so that nothing reaches the team's. {@link GuardContext.isRehearsal} is true meanwhile.
 */
export async function rehearse<L>(
  context: GuardContext<L>,
  { taps, round, speakers, unguarded = [], local }: Rehearsal<L>,
): Promise<SelfTestReport> {
  const breaker = new Breaker({ maxMessages: MAX_MESSAGES });
  let isHeard = false;
  breaker.on('signal', ({ signal }) => {
    isHeard ||= signal.kind === 'message';
  });
  const run = {
    conversation: breaker.conversation(''),
    trip: undefined,
    isRefused: false,
    isRehearsal: true,
    signal: new AbortController().signal,
  };
  const place = { run, depth: 0, path: ['self-test'], ...(local !== undefined && { local }) };
  return context.within(place, async () => {
    const isLoopFound = await loop(round);
    const unnoticed = isLoopFound ? undefined : isHeard ? UNNOTICED : `${UNNOTICED}: ${UNHEARD}`;
    // From here on every step must be refused, whether or not the loop was found.
    breaker.stop('self-test');
    const checks: TapCheck[] = [];
    for (const tap of taps)
      checks.push(await check(tap, speakers.includes(tap.member) ? unnoticed : undefined));
    const isPassed = checks.length > 0 && checks.every(({ isWorking }) => isWorking);
    return { isPassed, checks, unguarded };
  });
}

/** Says whether the agents were stopped. */
async function loop(round: () => Promise<unknown>): Promise<boolean> {
  for (let at = 0; at < MAX_ROUNDS; at++) if (await isRefused(round)) return true;
  return false;
}

async function check(tap: InstalledTap, unnoticed: string | undefined): Promise<TapCheck> {
  const { owner, member } = tap;
  const problem = tap.check() ?? unnoticed ?? (await wayPast(tap));
  return problem === undefined
    ? { owner, member, isWorking: true }
    : { owner, member, isWorking: false, problem };
}

async function wayPast({ attempts }: InstalledTap): Promise<string | undefined> {
  for (const step of attempts) {
    if (!(await isRefused(step))) return 'a step was admitted after a trip';
  }
  return undefined;
}

async function isRefused(step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return false;
  } catch (error) {
    return tripIn(error) !== undefined;
  }
}
