import { describe, expect, it } from 'vitest';
import { policyOf } from '../../src/replay/policy.ts';

describe('the kinds that may stop a conversation', () => {
  const base = { executionStorm: { maxInARow: 4 } };

  it('[CLI5] switch all other detectors off', () => {
    const { options } = policyOf({ base, only: ['repetition'] });
    expect(options).toMatchObject({ executionStorm: false, rate: false });
    expect(options).not.toHaveProperty('repetition');
  });

  it('[CLI5] keep the limits that are declared among the options of a detector', () => {
    const { options } = policyOf({ base, only: ['limit'] });
    expect(options).toMatchObject({
      ...base,
      rate: false,
      reaction: { 'execution-storm': 'observe' },
    });
  });
});
