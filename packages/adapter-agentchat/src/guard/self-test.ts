import type { ChatAgent } from '@teamfuse/agentchat';
import { isAgent, isExecutor, isModelClient, isWorkbench } from '../taps/shapes.ts';
import { Drill } from './drill.ts';
import type { SelfTestReport, TapCheck } from './guard.ts';
import type { Installation, InstalledTap } from './installation.ts';
import type { Scope } from './scope.ts';
import { tripIn } from './trip-in.ts';
import type { Watch } from './watch.ts';

const MAX_ROUNDS = 12;

/** Lets a known loop run through the taps of a guard, and then tries to get past each of them. */
export async function selfTest(watch: Watch, installation: Installation): Promise<SelfTestReport> {
  const drill = new Drill();
  const scope: Scope = {
    run: { trip: undefined, isRefused: false, drill },
    depth: 0,
    path: ['self-test'],
  };
  return watch.within(scope, async () => {
    const agents = [...installation.guarded].filter(isAgent);
    const isNoticed = await loop(agents);
    // Whatever became of the loop, nothing real may be reached from here on.
    drill.observer.breaker.stop('self-test');
    const checks: TapCheck[] = [];
    for (const tap of installation.taps) checks.push(await check(tap, isNoticed));
    const isPassed = checks.length > 0 && checks.every(({ isWorking }) => isWorking);
    return { isPassed, checks };
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
