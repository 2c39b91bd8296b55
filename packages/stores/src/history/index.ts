export { type HistoryStore, HistoryStoreError } from './history-store.ts';
export { MemoryHistoryStore } from './memory-history-store.ts';
export { parseRunRecord } from './parse-run-record.ts';
export { type PreflightOptions, preflight } from './preflight.ts';
export { type RepeatedFailure, RepeatedFailureError } from './repeated-failure.ts';
export { type HistoryOptions, type RunEnd, RunHistory } from './run-history.ts';
export type { RunFailure, RunRecord } from './run-record.ts';
export { runWithHistory } from './run-with-history.ts';
