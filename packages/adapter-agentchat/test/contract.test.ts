import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { contractHarness } from './support/contract-harness.ts';

describe('the contract of adapters', () => {
  for (const { id, title, reason, missing, check } of adapterContract(contractHarness())) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});

describe('the contract of adapters, with models that stream', () => {
  for (const { id, title, reason, missing, check } of adapterContract(contractHarness(true))) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
