import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { contractHarness } from './support/contract-harness.ts';

describe('the contract of adapters', () => {
  for (const { id, title, missing, check } of adapterContract(contractHarness())) {
    it.skipIf(missing.length > 0)(`[${id}] ${title}`, check);
  }
});

describe('the contract of adapters, with models that stream', () => {
  for (const { id, title, missing, check } of adapterContract(contractHarness(true))) {
    it.skipIf(missing.length > 0)(`[${id}] ${title}`, check);
  }
});
