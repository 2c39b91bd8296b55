export { analyzerContract } from './contracts/analyzer-contract.ts';
export { budgetStoreContract } from './contracts/budget-store-contract.ts';
export type {
  BudgetStoreServer,
  BudgetStoreSetup,
  MakeBudgetStore,
} from './contracts/budget-store-setup.ts';
export {
  type AdvanceFleet,
  type CircuitStoreSetup,
  circuitStoreContract,
  type MakeCircuitStore,
} from './contracts/circuit-store-contract.ts';
export {
  type AsyncContractCheck,
  type ContractCheck,
  ContractViolationError,
} from './contracts/contract-check.ts';
export { conversationStoreContract } from './contracts/conversation-store-contract.ts';
export { type DetectorContractOptions, detectorContract } from './contracts/detector-contract.ts';
export { historyStoreContract } from './contracts/history-store-contract.ts';
export { FakeClock } from './fake-clock.ts';
export { generateSignals } from './generated-signals.ts';
export { timeline } from './timeline.ts';
export { type TranscriptOptions, transcript } from './transcript.ts';
