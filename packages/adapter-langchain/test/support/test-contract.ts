import { adapterContract } from '@teamfuse/testing/adapters';
import { beforeEach, describe, it, vi } from 'vitest';
import { contractHarness, type Maker, type Way } from './contract-harness.ts';

type Run = readonly [Maker, Way];

/** Tests that an adapter keeps the contract in each of these runs. */
export function testContract(runs: readonly Run[]): void {
  describe.each(runs)('the contract of adapters with agents of %s() and %s()', (maker, way) => {
    // LangChain writes what its callbacks refuse to the console.
    beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

    for (const { id, title, reason, missing, check } of adapterContract(
      contractHarness(maker, way),
    )) {
      it(`[${id}] ${title}`, ({ skip }) => {
        skip(missing.length > 0, reason);
        return check();
      });
    }
  });
}
