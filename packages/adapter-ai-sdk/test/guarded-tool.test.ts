import { guard } from '@teamfuse/core';
import * as ai7 from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import * as ai6 from 'ai-6';
import { MockLanguageModelV3 } from 'ai-6/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { scripted } from './support/models.ts';

const LOOKS = 6;

/** What is asked of an SDK: tools for a model that looks at a place in each of six steps. */
interface Looking {
  readonly place: (at: number) => string;
  readonly abortSignal: AbortSignal | undefined;
  /** Where it looks, as a tool is told. */
  readonly execute: (input: { at: string }, options: object) => Promise<string>;
}

type Way = (looking: Looking) => Promise<unknown>;

function answers(place: (at: number) => string) {
  let asked = 0;
  return scripted(() => {
    const at = asked++;
    const call = { id: `call-${at}`, tool: 'look', args: { at: place(at) } };
    return at < LOOKS ? { text: '', calls: [call] } : { text: 'Done.' };
  });
}

const inputSchema = z.object({ at: z.string() });

/** The ways in which one version of the SDK calls a tool. */
function waysOf(sdk: typeof ai7, modelOf: (place: (at: number) => string) => object) {
  const callOf = ({ place, abortSignal, execute }: Looking) => ({
    model: modelOf(place) as MockLanguageModelV4,
    tools: { look: sdk.tool({ inputSchema, execute }) },
    stopWhen: ({ steps }: { steps: unknown[] }) => steps.length >= LOOKS,
    ...(abortSignal && { abortSignal }),
  });
  return {
    generateText: (looking) => sdk.generateText({ ...callOf(looking), prompt: 'Look.' }),
    streamText: async (looking) =>
      sdk.streamText({ ...callOf(looking), prompt: 'Look.' }).consumeStream(),
    ToolLoopAgent: (looking) =>
      new sdk.ToolLoopAgent(callOf(looking)).generate({
        prompt: 'Look.',
        ...(looking.abortSignal && { abortSignal: looking.abortSignal }),
      }),
  } satisfies Record<string, Way>;
}

const VERSIONS = {
  'ai 7': waysOf(ai7, (place) => new MockLanguageModelV4(answers(place) as never)),
  'ai 6': waysOf(
    ai6 as unknown as typeof ai7,
    (place) => new MockLanguageModelV3(answers(place) as never),
  ),
};

const RUNS = Object.entries(VERSIONS).flatMap(([version, ways]) =>
  Object.entries(ways).map(([way, run]) => [version, way, run] as const),
);

/** Where a guarded tool has looked in the end. */
async function looksOf(
  run: Way,
  place: Looking['place'],
  abortSignal?: AbortSignal,
): Promise<string[]> {
  const seen: string[] = [];
  const execute = guard(async ({ at }: { at: string }, _options: object) => {
    seen.push(at);
    return 'blue';
  });
  await run({ place, abortSignal, execute });
  return seen;
}

describe.each(RUNS)('a tool under guard() with %s and %s', (_version, _way, run) => {
  it('[AIS9] is not called a third time for the same, whatever comes with its input', async () => {
    const { signal } = new AbortController();
    expect(await looksOf(run, () => 'sky')).toEqual(['sky', 'sky']);
    expect(await looksOf(run, () => 'sky', signal)).toEqual(['sky', 'sky']);
  });

  it('[AIS9] is called for all that differs', async () => {
    const { signal } = new AbortController();
    expect(await looksOf(run, (at) => `field ${at}`, signal)).toHaveLength(LOOKS);
  });
});
