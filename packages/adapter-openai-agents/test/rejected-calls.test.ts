import { Breaker, type Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { guardRunner } from '../src/index.ts';
import { looking } from './support/looking.ts';
import { VERSIONS } from './support/versions.ts';

const LOOKS = 24;

interface Paused {
  readonly interruptions?: readonly object[];
  readonly state: { reject(item: object): void };
}

describe.each(Object.entries(VERSIONS))('calls that a person rejects, with %s', (_version, sdk) => {
  /** Rejects each call that a model asks for. How often it is asked, and what is told of the calls. */
  async function run(place: (at: number) => string) {
    const parameters = z.object({ at: z.string() });
    const fields = { name: 'look', description: 'Looks.', parameters, needsApproval: true };
    const model = looking(LOOKS, { place });
    const look = sdk.tool({ ...fields, execute: () => 'blue' });
    const watcher = new sdk.Agent({ name: 'watcher', model, tools: [look] });
    const runner = new sdk.Runner({
      tracingDisabled: true,
      modelProvider: { getModel: () => model },
    });
    const breaker = new Breaker();
    const calls: Signal[] = [];
    breaker.on('signal', ({ signal }) => {
      if (signal.kind === 'tool-call') calls.push(signal);
    });
    const guard = guardRunner(runner, breaker, { judge: false });
    const options = { maxTurns: 2 * LOOKS };
    let result = (await runner.run(watcher, 'Look.', options)) as unknown as Paused;
    for (let at = 0; at < LOOKS && (result.interruptions?.length ?? 0) > 0; at++) {
      for (const item of result.interruptions ?? []) result.state.reject(item);
      result = (await runner.run(watcher, result.state as never, options)) as unknown as Paused;
    }
    guard.uninstall();
    return { calls, kind: breaker.stopped[0]?.trip?.kind };
  }

  it('[OAG17] are told as not executed, and stop the run where they are the same', async () => {
    const { calls, kind } = await run(() => 'sky');
    expect(kind).toBe('rate');
    expect(calls.length).toBeLessThan(LOOKS / 2);
    expect(calls[0]).toMatchObject({
      ...{ agent: 'watcher', tool: 'look', args: { at: 'sky' }, executed: false },
      error: { code: 'REJECTED' },
    });
  });

  it('[OAG17] are left alone where each is another one', async () => {
    const { calls, kind } = await run((at) => `star ${at}`);
    expect({ told: calls.length, kind }).toEqual({ told: LOOKS, kind: undefined });
  });
});
