import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { playThroughGateway } from './played.ts';
import { recordedGroup, recordedRuns, stuck } from './recorded-runs.ts';
import { checkServed, replayed } from './served.ts';

const hasPython = !spawnSync('python3', ['--version']).error;
describe.skipIf(!hasPython)('runs of AutoGen that Python plays (needs python3)', () => {
  test('[SDK7] are served call for call, and billed to the token and the nano-dollar', () =>
    checkServed(recordedRuns().filter((_, i) => i % 10 === 0)));

  test('[SDK8] are stopped for what a replay of their histories stops them for', async () => {
    const runs = [recordedGroup(), ...recordedRuns().flatMap((run) => stuck(run) ?? [])];
    const { statuses, trips } = await playThroughGateway(runs);
    expect(trips).toEqual(await replayed(runs));
    expect(trips.size).toBe(runs.length);
    expect(new Set([...trips.values()].flat()).size).toBe(3);
    const refused = [...statuses.values()].filter((all) => all.at(-1) === 402);
    expect(refused).toHaveLength(runs.length);
  });
});
