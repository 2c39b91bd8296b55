import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { contractHarness, type Way } from './support/contract-harness.ts';
import { VERSIONS } from './support/versions.ts';

const WAYS: readonly Way[] = ['run', 'stream'];
const RUNS = Object.entries(VERSIONS).flatMap(([version, sdk]) =>
  WAYS.map((way) => [version, way, sdk] as const),
);

describe.each(RUNS)('the contract of adapters with @openai/agents %s, %s', (_version, way, sdk) => {
  for (const { id, title, reason, missing, check } of adapterContract(contractHarness(sdk, way))) {
    it(`[${id}] ${title}`, ({ skip }) => {
      skip(missing.length > 0, reason);
      return check();
    });
  }
});
