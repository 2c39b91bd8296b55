import { analyzerContract, type ContractCheck } from '../../src/index.ts';

/** The rules that an analyzer keeps, for one with sound declarations. */
export function soundChecks(): readonly ContractCheck[] {
  const search = { loopKey: () => 'any', polls: { maxWaitMs: 2000 }, volatileFields: ['query'] };
  return analyzerContract({ tools: { search }, horizonTurns: 3 });
}
