import { adapterContract } from '@teamfuse/adapter-kit/testing';
import { describe, it } from 'vitest';
import { contractHarness, type Way } from './support/contract-harness.ts';
import { SPECIFICATIONS } from './support/scripted.ts';

const WAYS: readonly Way[] = ['generate', 'stream'];
const RUNS = SPECIFICATIONS.flatMap((version) => WAYS.map((way) => [way, version] as const));

describe.each(RUNS)(
  'the contract of adapters with %s() and a model of specification %s',
  (way, version) => {
    for (const { id, title, reason, missing, check } of adapterContract(
      contractHarness(version, way),
    )) {
      it(`[${id}] ${title}`, ({ skip }) => {
        skip(missing.length > 0, reason);
        return check();
      });
    }
  },
);
