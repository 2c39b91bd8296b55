import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, it } from 'vitest';
import { contractHarness, type Way } from './contract-harness.ts';
import type { Specification } from './scripted.ts';

type Run = readonly [Way, Specification];

/** Tests that an adapter keeps the contract in each of these runs. */
export function testContract(runs: readonly Run[]): void {
  describe.each(runs)(
    'the contract of adapters with %s() and a model of specification %s',
    (way, version) => {
      for (const { id, title, reason, missing, check } of adapterContract(
        contractHarness(version, way),
      )) {
        it(`[${id}] ${title}`, ({ skip }) => {
          skip(missing.length > 0, reason);
          return check();
        });
      }
    },
  );
}
