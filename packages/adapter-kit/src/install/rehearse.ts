import { Breaker } from '@teamfuse/core';
import type { GuardContext } from '../context/guard-context.ts';
import { tripIn } from '../context/trip-in.ts';
import type { SelfTestReport, TapCheck } from './self-test-report.ts';
import type { InstalledTap } from './tap-set.ts';

const MAX_ROUNDS = 12;

/** A loop is found within so many messages, whatever the detectors find. */
const MAX_MESSAGES = 12;

/** How a guard rehearses. */
export interface Rehearsal<L> {
  readonly taps: readonly InstalledTap[];
  /** Lets each agent take a turn through its taps, all with the same answer. None of the team's code may run. */
  readonly round: () => Promise<unknown>;
  /** The names of members through which the loop goes: those do not work if it is not found. */
  readonly heard: readonly string[];
  /** Members of the team that the guard could not tap. @defaultValue none */
  readonly unguarded?: readonly string[];
  /** The part of the place that belongs to the adapter. */
  readonly local?: L;
}

/**
 * Sends a known loop through the taps of a guard, and then tries to get past each of them.
 *
 * It has a breaker of its own: nothing of it reaches the team's. {@link GuardContext.isRehearsal} holds meanwhile.
 */
export async function rehearse<L>(
  context: GuardContext<L>,
  { taps, round, heard, unguarded = [], local }: Rehearsal<L>,
): Promise<SelfTestReport> {
  const breaker = new Breaker({ maxMessages: MAX_MESSAGES });
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
    // From here on every step has to be refused, whether the loop was found or not.
    breaker.stop('self-test');
    const checks: TapCheck[] = [];
    for (const tap of taps)
      checks.push(await check(tap, isLoopFound || !heard.includes(tap.member)));
    const isPassed = checks.length > 0 && checks.every(({ isWorking }) => isWorking);
    return { isPassed, checks, unguarded };
  });
}

/** Says whether the agents were stopped. */
async function loop(round: () => Promise<unknown>): Promise<boolean> {
  for (let at = 0; at < MAX_ROUNDS; at++) if (await isRefused(round)) return true;
  return false;
}

async function check(tap: InstalledTap, isHeard: boolean): Promise<TapCheck> {
  const { owner, member } = tap;
  const problem = (await problemOf(tap)) ?? (isHeard ? undefined : 'a known loop was not noticed');
  return problem === undefined
    ? { owner, member, isWorking: true }
    : { owner, member, isWorking: false, problem };
}

async function problemOf(tap: InstalledTap): Promise<string | undefined> {
  if (!tap.isInPlace()) return 'something else has been put in its place';
  for (const step of tap.attempts) {
    if (!(await isRefused(step))) return 'a step was let through after a trip';
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
