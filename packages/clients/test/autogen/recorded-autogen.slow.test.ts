import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { recordedRuns } from './recorded-runs.ts';
import { checkServed } from './served.ts';

const hasPython = !spawnSync('python3', ['--version']).error;

test.skipIf(!hasPython)(
  '[SDK7] all runs of AutoGen that Python plays are served call for call, and billed to the token and the nano-dollar (needs python3)',
  async () => {
    const runs = recordedRuns();
    expect(runs.flatMap(({ calls }) => calls).length).toBeGreaterThan(600);
    await checkServed(runs);
  },
);
