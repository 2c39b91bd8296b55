import {
  checkBreaker,
  describe,
  type Guard,
  type GuardOptions,
  installGuard,
  otherVersion,
} from '@teamfuse/adapter-kit';
import type { Breaker } from '@teamfuse/core';
import { GuardInstallError } from '@teamfuse/core/kit';
import { isAgent, isGroup } from '../taps/shapes.ts';
import { drain } from './attempts.ts';
import { findModel } from './find-model.ts';
import { tapTeam } from './tap-team.ts';
import { TeamContext } from './team-context.ts';

/**
 * Any team with participants, from any package. Its parts are recognised by their shape.
 */
export interface GuardableTeam {
  readonly name: string;
  readonly participants: readonly object[];
  run(options?: never): unknown;
  runStream(options?: never): unknown;
}

/**
 * Guards a team: reports what happens in it to a breaker, and asks before every turn, model call, tool call and code run.
 *
 * When the breaker opens, even in the middle of a turn, no further step begins and the run ends normally: its stop reason is the
 * trip's, and its result holds all messages so far. Inner teams, agents used as tools, and models that choose speakers are guarded
 * as well.
 *
 * @example
 * ```ts
 * const team = new RoundRobinGroupChat([writer, critic]);
 * const installed = guardTeam(team, new Breaker({ budget: { maxTokens: 20 } }));
 * const { stopReason } = await team.run({ task: 'Write a poem' });
 * installed.trip?.kind; // => 'budget'
 * stopReason === installed.trip?.reason; // => true
 * installed.uninstall();
 * ```
 * @throws {@link GuardInstallError} naming what was expected, with nothing installed.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function guardTeam(
  team: GuardableTeam,
  breaker: Breaker,
  options: GuardOptions = {},
): Guard {
  const given: unknown = team;
  if (!isGroup(given)) {
    const expected = 'an object with run, runStream and participants, received';
    throw new GuardInstallError(
      'team',
      `${expected} ${describe(given)}`,
      otherVersion(given, '0.4'),
    );
  }
  const context = new TeamContext(checkBreaker(`team '${given.name}'`, breaker), options);
  return installGuard(context, (taps) => {
    const model = findModel(given);
    tapTeam(context, taps, given);
    const round = async (): Promise<void> => {
      for (const agent of [...taps.claimed].filter(isAgent))
        await drain(agent.onMessagesStream([]));
    };
    return { round, speakers: ['onMessagesStream'], model };
  });
}
