import {
  AssistantAgent,
  FunctionTool,
  MaxMessageTermination,
  RoundRobinGroupChat,
} from '@teamfuse/agentchat';
import { Breaker, guard, isTripped } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { guardTeam } from '../src/index.ts';
import { callsTool, replay } from './support/agents.ts';

const LOOKS = 6;

type Place = (at: number) => string;

/** Takes any arguments as they are. */
const ANY = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const;

type Look = FunctionTool<typeof ANY>;

/** A guarded tool, and where it has looked. */
function watching(): { readonly look: Look; readonly seen: string[] } {
  const seen: string[] = [];
  const look = new FunctionTool({
    name: 'look',
    description: 'Looks at a place.',
    parameters: ANY,
    jsonSchema: { type: 'object' },
    func: guard(async (args: unknown, _options: object) => {
      seen.push(String(Object(args).at));
      return 'blue';
    }),
  });
  return { look, seen };
}

/** A team of one whose model wants to look at places, one after the other. */
function teamOf(look: Look, place: Place): RoundRobinGroupChat {
  const calls = Array.from({ length: LOOKS }, (_, at) =>
    callsTool('look', { at: place(at) }, `call-${at}`),
  );
  const agent = new AssistantAgent('watcher', { modelClient: replay(...calls), tools: [look] });
  const terminationCondition = new MaxMessageTermination(2 * LOOKS);
  return new RoundRobinGroupChat([agent], { maxTurns: LOOKS, terminationCondition });
}

const WAYS: Readonly<Record<string, (look: Look, place: Place) => Promise<unknown>>> = {
  'in a team': (look, place) => teamOf(look, place).run({ task: 'Look.' }),
  'in a team that may be cancelled': (look, place) => {
    const { signal } = new AbortController();
    return teamOf(look, place).run({ task: 'Look.', signal });
  },
  'in a guarded team': (look, place) => {
    const team = teamOf(look, place);
    guardTeam(team, new Breaker({ repetition: false, executionStorm: false, rate: false }));
    return team.run({ task: 'Look.' });
  },
  'by hand': async (look, place) => {
    for (let at = 0; at < LOOKS; at++) {
      const { signal } = new AbortController();
      const options = { callId: `call-${at}`, signal };
      await look.runJson({ at: place(at) }, options).catch((error: unknown) => {
        if (!isTripped(error)) throw error;
      });
    }
  },
};

describe.each(Object.keys(WAYS))('a function tool under guard() that is called %s', (way) => {
  it('[GRD20] is not called a third time for the same', async () => {
    const { look, seen } = watching();
    await WAYS[way]?.(look, () => 'sky');
    expect(seen).toEqual(['sky', 'sky']);
  });

  it('[GRD20] is called for all that differs', async () => {
    const { look, seen } = watching();
    await WAYS[way]?.(look, (at) => `field ${at}`);
    expect(seen).toHaveLength(LOOKS);
  });
});
