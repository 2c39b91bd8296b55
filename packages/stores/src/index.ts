export {
  CorruptFileError,
  type DifferentOption,
  DifferentOptionsError,
  LockedFileError,
  LostBooksError,
  StoresError,
  type StoresErrorCode,
  UnreachableServerError,
  UnsupportedNodeError,
  UnwrittenJournalError,
} from './errors.ts';
export { FileHistoryStore, type FileHistoryStoreOptions } from './file/file-history-store.ts';
export { SqliteBudgetStore, type SqliteBudgetStoreOptions } from './sqlite/sqlite-budget-store.ts';
export {
  SqliteHistoryStore,
  type SqliteHistoryStoreOptions,
} from './sqlite/sqlite-history-store.ts';
