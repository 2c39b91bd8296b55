import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, it } from 'vitest';
import { contractHarness } from './contract-harness.ts';

/** Tests that the adapter keeps the contract, with models whose answers come so. */
export function testContract(answers: 'whole' | 'streamed'): void {
  describe(`the contract of adapters, with answers that come ${answers}`, () => {
    const harness = contractHarness(answers === 'streamed');
    for (const { id, title, reason, missing, check } of adapterContract(harness)) {
      it(`[${id}] ${title}`, ({ skip }) => {
        skip(missing.length > 0, reason);
        return check();
      });
    }
  });
}
