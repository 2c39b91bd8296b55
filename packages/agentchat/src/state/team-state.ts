import { z } from 'zod';
import { ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';

const teamStateJson = z.object({
  agent_states: z.record(z.string(), z.record(z.string(), z.json())),
});

/** The state of a team out of those of its participants and its manager, in AutoGen's form. */
export function teamState(states: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'TeamState', version: '1.0.0', agent_states: states };
}

/**
 * Reads the state of a team; the states of its members are then asked for by name.
 *
 * @throws {@link ValueError} for another form, or when one of the members is missing.
 */
export function readTeamState(
  state: JsonObject,
  members: readonly string[],
): (member: string) => JsonObject {
  const result = teamStateJson.safeParse(state);
  if (!result.success) {
    throw new ValueError(
      'Invalid state format. The expected state format has changed since v0.4.9. ' +
        'Please read the release note on GitHub.',
      { cause: result.error },
    );
  }
  const { agent_states } = result.data;
  const stateOf = (member: string): JsonObject => {
    const found = agent_states[member];
    if (found !== undefined) return found;
    throw new ValueError(`Agent state for ${member} not found in the saved state.`);
  };
  for (const member of members) stateOf(member);
  return stateOf;
}
