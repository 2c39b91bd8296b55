import type { JsonObject, Team } from '@teamfuse/agentchat';
import { recordedError } from '../messages/raised-error.ts';
import { setExternal } from './condition-at.ts';
import type { World } from './world.ts';

/** Where an effect comes from. */
export interface Origin {
  readonly path: string;
  readonly world: World;
  readonly signal: AbortSignal | undefined;
}

/** What a scripted agent does to its surroundings in the middle of its turn. */
export async function tookEffect(
  effect: JsonObject,
  { path, world, signal }: Origin,
): Promise<void> {
  if ('external_set' in effect) {
    const condition = world.conditions.get(String(effect.team ?? ''));
    if (condition === undefined) throw new Error(`no condition to set: ${JSON.stringify(effect)}`);
    setExternal(condition, effect.external_set as number[]);
  } else if ('clock' in effect) {
    world.clock.advance(Number(effect.clock));
  } else if ('cancel' in effect) {
    await world.cancel(effect.cancel === 'honour' ? signal : undefined);
  } else if ('attempt' in effect) {
    await attempt(String(effect.attempt), path, world);
  } else {
    throw new Error(`the vectors name an unknown effect: ${JSON.stringify(effect)}`);
  }
}

async function attempt(op: string, path: string, { team, notes }: World): Promise<void> {
  if (team === undefined) throw new Error('there is no team to reach out for');
  const at = notes.agents.push({ agent: path, event: 'attempt', op }) - 1;
  try {
    await attempted(op, team);
  } catch (error) {
    notes.agents[at] = { ...notes.agents[at], error: recordedError(error) };
  }
}

async function attempted(op: string, team: Team): Promise<void> {
  switch (op) {
    case 'run':
      await team.run({ task: 'nested call' });
      return;
    case 'reset':
      return team.reset();
    case 'load_state':
      return team.loadState({});
    case 'pause':
      return team.pause();
    case 'resume':
      return team.resume();
    default:
      throw new Error(`the vectors name an unknown attempt: ${op}`);
  }
}
