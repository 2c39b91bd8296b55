import { adapterContract } from '@teamfuse/testing/adapters';
import { describe, it } from 'vitest';
import { boardHarness } from './support/board-harness.ts';
import { guardBoard } from './support/guard-board.ts';

describe('a framework that the kit does not know', () => {
  for (const { id, title, reason, missing, check } of adapterContract(boardHarness(guardBoard))) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
