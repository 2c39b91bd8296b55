import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, it } from 'vitest';
import { contractHarness, type Way } from './contract-harness.ts';
import { VERSIONS } from './versions.ts';

type Run = readonly [version: keyof typeof VERSIONS, Way];

/** Tests that an adapter keeps the contract in each of these runs. */
export function testContract(runs: readonly Run[]): void {
  describe.each(runs)('the contract of adapters with @openai/agents %s, %s', (version, way) => {
    for (const { id, title, reason, missing, check } of adapterContract(
      contractHarness(VERSIONS[version], way),
    )) {
      it(`[${id}] ${title}`, ({ skip }) => {
        skip(missing.length > 0, reason);
        return check();
      });
    }
  });
}
