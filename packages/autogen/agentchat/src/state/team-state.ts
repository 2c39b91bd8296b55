import { z } from 'zod';
import { ValidationError, ValueError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { validate } from '../base/validate.ts';

const teamStateJson = z.object({
  agent_states: z.record(z.string(), z.record(z.string(), z.json())).default({}),
});

/** Combines the states of the participants and the manager into a team state of AutoGen's form. */
export function teamState(states: Readonly<Record<string, JsonObject>>): JsonObject {
  return { type: 'TeamState', version: '1.0.0', agent_states: states };
}

/** Something whose state can be restored. */
export interface Stateful {
  readonly name: string;
  loadState(state: JsonObject): void | Promise<void>;
}

/**
 * Restores the states of a team's members one after the other.
 *
 * @throws {@link ValueError} when a state is missing or malformed; the members before it keep their new state.
 */
export async function loadTeamState(
  state: JsonObject,
  members: readonly Stateful[],
): Promise<void> {
  try {
    const { agent_states } = validate(teamStateJson, state, 'TeamState');
    for (const member of members) {
      const found = agent_states[member.name];
      if (found === undefined) {
        throw new ValueError(`Agent state for ${member.name} not found in the saved state.`);
      }
      await member.loadState(found);
    }
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValueError(
      'Invalid state format. The expected state format has changed since v0.4.9. ' +
        'Please read the release note on GitHub.',
      { cause: error },
    );
  }
}
