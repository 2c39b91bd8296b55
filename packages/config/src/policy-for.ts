import { expectedName } from '@teamfuse/core';
import { locateKey } from './locate-key.ts';
import { merge } from './merge.ts';
import type { Policy, PolicyOptions } from './policy.ts';
import { PolicyError } from './policy-error.ts';

/**
 * The options of a team: those of all teams, with what its own section says on top. Without a team, those of all.
 *
 * @throws {@link PolicyError} if the policy has no section of this team.
 * @example
 * ```ts
 * const text = 'maxMessages = 60\n[teams.research]\nmaxTurns = 9';
 * policyFor(parsePolicy(text, 'teamfuse.toml'), 'research'); // => { maxMessages: 60, maxTurns: 9 }
 * ```
 */
export function policyFor({ file, text, options, teams }: Policy, team?: string): PolicyOptions {
  if (team === undefined) return options;
  const own = Object.hasOwn(teams, team) ? teams[team] : undefined;
  if (own !== undefined) return merge(options, own);
  const names = Object.keys(teams);
  const expected =
    names.length === 0 ? 'a section of this team' : expectedName(team, names, 'team');
  const place = locateKey(text, ['teams']);
  throw new PolicyError({ file, ...place, key: `teams.${team}`, expected, received: 'nothing' });
}
