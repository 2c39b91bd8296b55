import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { contractHarness } from './harness/contract-harness.ts';

describe('the contract of adapters', () => {
  for (const { id, title, reason, missing, check } of adapterContract(contractHarness('caller'))) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});

describe('the contract of adapters, with an agent that carries out the calls of others', () => {
  for (const { id, title, reason, missing, check } of adapterContract(
    contractHarness('executor'),
  )) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
