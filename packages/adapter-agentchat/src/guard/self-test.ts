import { rehearse, type SelfTestReport } from '@teamfuse/adapter-kit';
import { drain } from './attempts.ts';
import type { Installation } from './installation.ts';
import type { TeamContext } from './team-context.ts';

/** Sends a known loop through the taps of a guard, and then tries to get past each of them. */
export function selfTest(
  context: TeamContext,
  { taps, agents }: Installation,
): Promise<SelfTestReport> {
  return rehearse(context, {
    taps,
    heard: ['onMessagesStream'],
    round: async () => {
      for (const agent of agents) await drain(agent.onMessagesStream([]));
    },
  });
}
