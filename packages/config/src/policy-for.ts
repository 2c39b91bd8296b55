import { InvalidOptionError } from '@teamfuse/core';
import { expectedName } from '@teamfuse/core/options';
import { locateKey } from './locate-key.ts';
import { merge } from './merge.ts';
import type { Policy, PolicyOptions } from './policy.ts';
import { PolicyError } from './policy-error.ts';

const EXPECTED = 'a policy: what parsePolicy(text, file) or loadPolicy({ path }) returns';

/**
 * The options of a team: those of all teams, with what its own section says on top. Without a team, those of all.
 *
 * @throws {@link PolicyError} if the policy has no section of this team.
 * @throws {@link InvalidOptionError} if it is no policy, such as options or the name of a file.
 * @example
 * ```ts
 * const text = 'maxMessages = 60\n[teams.research]\nmaxTurns = 9';
 * policyFor(parsePolicy(text, 'teamfuse.toml'), 'research'); // => { maxMessages: 60, maxTurns: 9 }
 * ```
 */
export function policyFor(policy: Policy, team?: string): PolicyOptions {
  if (!isPolicy(policy)) throw new InvalidOptionError('policy', EXPECTED, policy);
  const { file, text, options, teams } = policy;
  if (team === undefined) return options;
  if (typeof team !== 'string') throw new InvalidOptionError('team', 'the name of a team', team);
  const own = Object.hasOwn(teams, team) ? teams[team] : undefined;
  if (own !== undefined) return merge(options, own);
  const names = Object.keys(teams);
  const expected =
    names.length === 0 ? 'a section of this team' : expectedName(team, names, 'team');
  const place = locateKey(text, ['teams']);
  throw new PolicyError({ file, ...place, key: `teams.${team}`, expected, received: 'nothing' });
}

function isPolicy(value: unknown): value is Policy {
  try {
    const { file, text, options, teams } = Object(value);
    const areTexts = typeof file === 'string' && typeof text === 'string';
    return areTexts && isObject(options) && isObject(teams);
  } catch {
    return false;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
