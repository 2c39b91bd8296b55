import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, it } from 'vitest';
import { contractHarness } from '../harness/contract-harness.ts';
import type { ToolHolder } from '../harness/scripted-team.ts';

/** Tests that the adapter keeps the contract, with tools of these agents. */
export function testContract(toolHolder: ToolHolder): void {
  describe(`the contract of adapters, with tools of the ${toolHolder}`, () => {
    for (const { id, title, reason, missing, check } of adapterContract(
      contractHarness(toolHolder),
    )) {
      it(`[${id}] ${title}`, ({ skip }) => {
        skip(missing.length > 0, reason);
        return check();
      });
    }
  });
}
