import type { JsonObject } from '@teamfuse/agentchat';
import { SpecBuilder } from '../build/spec-builder.ts';
import { recordedError } from '../messages/raised-error.ts';
import { World } from '../script/world.ts';
import type { RunCase } from '../vector.ts';
import { ActionPlayer } from './action-player.ts';
import type { Played } from './played.ts';
import type { Subject } from './subject.ts';

/** Runs a case of `teams.jsonl` or `agents.jsonl`; `prepare` gets what it builds. */
export async function playRun(
  vector: RunCase,
  prepare: (subject: Subject) => Subject,
): Promise<Played> {
  const world = new World(vector.models);
  let player: ActionPlayer;
  try {
    player = new ActionPlayer(world, () => prepare(subject(vector, world)));
  } catch (error) {
    return { construct_error: recordedError(error), expected: [] };
  }
  const expected: JsonObject[] = [];
  for (const action of vector.actions) {
    const entry = await player.play(action);
    expected.push(entry);
    if (entry.hang === true) break;
  }
  return { expected };
}

function subject({ team, agent, id }: RunCase, world: World): Subject {
  const builder = new SpecBuilder(world);
  world.conditions.clear();
  if (team !== undefined) return { kind: 'team', team: builder.rootTeam(team) };
  if (agent !== undefined) return { kind: 'agent', agent: builder.agent(agent, '') };
  throw new Error(`${id} has neither a team nor an agent`);
}
