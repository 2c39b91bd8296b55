import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { contractHarness, type Way } from './support/contract-harness.ts';
import { VERSIONS } from './support/versions.ts';

const WAYS: readonly Way[] = ['generate', 'stream'];
const RUNS = VERSIONS.flatMap((version) =>
  WAYS.map((way) => [version.name, way, version] as const),
);

describe.each(RUNS)('the contract of adapters with %s and %s()', (_name, way, version) => {
  for (const { id, title, reason, missing, check } of adapterContract(
    contractHarness(version, way),
  )) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
