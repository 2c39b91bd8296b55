import { type SelfTestReport, type TapCheck, tripIn } from '@teamfuse/adapter-kit';
import { type ChatAgent, TextMessage } from '@teamfuse/agentchat';
import { Breaker } from '@teamfuse/core';
import { isAgent, isExecutor, isModelClient, isWorkbench } from '../taps/shapes.ts';
import type { Installation, InstalledTap } from './installation.ts';
import type { Rehearsal } from './place.ts';
import type { TeamContext } from './team-context.ts';

const MAX_ROUNDS = 12;

/** A loop is found within so many messages, whatever the detectors find. */
const MAX_MESSAGES = 12;

/** The same answer by every agent. */
const REHEARSAL: Rehearsal = {
  answer: ({ name: source }) => ({
    chatMessage: new TextMessage({ content: 'Thank you. Is there anything else?', source }),
  }),
};

/** Sends a known loop through the taps of a guard, and then tries to get past each of them. */
export async function selfTest(
  context: TeamContext,
  installation: Installation,
): Promise<SelfTestReport> {
  // A breaker of its own: nothing of the loop reaches the team's.
  const breaker = new Breaker({ maxMessages: MAX_MESSAGES });
  const conversation = breaker.conversation('');
  const { scope: outside } = context;
  const scope = outside ?? context.looseScope('self-test');
  const run = { conversation, trip: undefined, isRefused: false, signal: scope.run.signal };
  const place = { run, depth: 0, path: ['self-test'], local: { rehearsal: REHEARSAL } };
  return context.within(place, async () => {
    const agents = [...installation.guarded].filter(isAgent);
    const isFound = await loop(agents);
    // From here on every step has to be refused, whether the loop was found or not.
    breaker.stop('self-test');
    const checks: TapCheck[] = [];
    for (const tap of installation.taps) checks.push(await check(tap, isFound));
    const isPassed = checks.length > 0 && checks.every(({ isWorking }) => isWorking);
    return { isPassed, checks, unguarded: [] };
  });
}

/** Lets the agents say the same in turn. Says whether they were stopped. */
async function loop(agents: readonly ChatAgent[]): Promise<boolean> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    for (const agent of agents) {
      if (await isRefused(() => drain(agent.onMessagesStream([])))) return true;
    }
  }
  return false;
}

async function check(tap: InstalledTap, isLoopNoticed: boolean): Promise<TapCheck> {
  const { owner, member } = tap;
  const problem = await problemOf(tap, isLoopNoticed);
  return problem === undefined
    ? { owner, member, isWorking: true }
    : { owner, member, isWorking: false, problem };
}

async function problemOf(tap: InstalledTap, isLoopNoticed: boolean): Promise<string | undefined> {
  if (!tap.isInPlace()) return 'something else has been put in its place';
  for (const step of stepsThrough(tap)) {
    if (!(await isRefused(step))) return 'a step was let through after a trip';
  }
  const isStream = tap.member === 'onMessagesStream';
  return isStream && !isLoopNoticed ? 'a known loop was not noticed' : undefined;
}

type Step = () => Promise<unknown>;

/** Ways past a tap. Should one be open, an aborted signal keeps what is behind it from working. */
function stepsThrough({ target, member }: InstalledTap): readonly Step[] {
  const options = { signal: AbortSignal.abort() };
  const value = (target as Record<string, unknown>)[member];
  if (typeof value === 'function') {
    const given = member.startsWith('onMessages') ? [[], options] : [options];
    return [async () => drain(await Reflect.apply(value, target, given))];
  }
  return [value].flat().flatMap((part: unknown): Step[] => {
    if (isModelClient(part)) {
      return [() => part.create([], options), () => drain(part.createStream([], options))];
    }
    if (isWorkbench(part)) return [() => part.callTool('self-test', {}, options)];
    return isExecutor(part) ? [() => part.executeCodeBlocks([], options)] : [];
  });
}

async function isRefused(step: Step): Promise<boolean> {
  try {
    await step();
    return false;
  } catch (error) {
    return tripIn(error) !== undefined;
  }
}

/** Reads a stream to its end; anything else is left as it is. */
async function drain(value: unknown): Promise<void> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return;
  for await (const _ of value as AsyncIterable<unknown>);
}
