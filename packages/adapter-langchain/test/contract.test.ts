import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { beforeEach, describe, it, vi } from 'vitest';
import { contractHarness, type Maker, type Way } from './support/contract-harness.ts';

const RUNS: readonly (readonly [Maker, Way])[] = [
  ['createAgent', 'invoke'],
  ['createAgent', 'stream'],
  ['createReactAgent', 'invoke'],
];

// LangChain writes what its callbacks refuse to the console.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}));

describe.each(RUNS)('the contract of adapters with agents of %s() and %s()', (maker, way) => {
  for (const { id, title, reason, missing, check } of adapterContract(
    contractHarness(maker, way),
  )) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
