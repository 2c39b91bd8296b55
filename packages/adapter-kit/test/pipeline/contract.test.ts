import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { harness } from './harness.ts';

describe('the adapter of a pipeline', () => {
  for (const { id, title, missing, reason, check } of adapterContract(harness)) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
