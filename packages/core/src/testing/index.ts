export { analyzerContract } from './analyzer-contract.ts';
export {
  type BudgetStoreSetup,
  budgetStoreContract,
  type MakeBudgetStore,
} from './budget-store-contract.ts';
export {
  type AsyncContractCheck,
  type ContractCheck,
  ContractViolationError,
} from './contract-check.ts';
export { type DetectorContractOptions, detectorContract } from './detector-contract.ts';
export { FakeClock } from './fake-clock.ts';
export { generateSignals } from './generated-signals.ts';
export { historyStoreContract } from './history-store-contract.ts';
export { timeline } from './timeline.ts';
export { type TranscriptOptions, transcript } from './transcript.ts';
