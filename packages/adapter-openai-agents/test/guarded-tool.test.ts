import { guard } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { looking } from './support/looking.ts';
import { type Sdk, VERSIONS } from './support/versions.ts';

const LOOKS = 6;

const RUNS = Object.entries(VERSIONS).flatMap(([version, sdk]) =>
  [false, true].map((stream) => [version, stream ? 'streamed' : 'whole', sdk, stream] as const),
);

describe.each(RUNS)('a tool under guard() with %s and a %s run', (_version, _way, sdk, stream) => {
  /** Where it has looked in the end. */
  async function looksOf(place: (at: number) => string, signal?: AbortSignal): Promise<string[]> {
    const seen: string[] = [];
    const execute = guard(async ({ at }: { at: string }, ..._others: unknown[]) => {
      seen.push(at);
      return 'blue';
    });
    const parameters = z.object({ at: z.string() });
    const look = sdk.tool({ name: 'look', description: 'Looks.', parameters, execute });
    const model = looking(LOOKS, { place });
    const watcher: InstanceType<Sdk['Agent']> = new sdk.Agent({
      name: 'watcher',
      model,
      tools: [look],
    });
    const modelProvider = { getModel: () => model };
    const runner = new sdk.Runner({ tracingDisabled: true, modelProvider });
    const options = { maxTurns: 2 * LOOKS, ...(signal && { signal }) };
    if (stream) {
      await (await runner.run(watcher, 'Look.', { ...options, stream: true })).completed;
    } else await runner.run(watcher, 'Look.', options);
    return seen;
  }

  it('[OAG16] is not called a third time for the same, whatever comes with its input', async () => {
    const { signal } = new AbortController();
    expect(await looksOf(() => 'sky')).toEqual(['sky', 'sky']);
    expect(await looksOf(() => 'sky', signal)).toEqual(['sky', 'sky']);
  });

  it('[OAG16] is called for all that differs', async () => {
    expect(await looksOf((at) => `field ${at}`)).toHaveLength(LOOKS);
  });
});
