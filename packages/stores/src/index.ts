export {
  CorruptFileError,
  LockedFileError,
  StoresError,
  type StoresErrorCode,
  UnreachableServerError,
  UnsupportedNodeError,
} from './errors.ts';
export { FileHistoryStore, type FileHistoryStoreOptions } from './file/file-history-store.ts';
export { SqliteBudgetStore, type SqliteBudgetStoreOptions } from './sqlite/sqlite-budget-store.ts';
export {
  SqliteHistoryStore,
  type SqliteHistoryStoreOptions,
} from './sqlite/sqlite-history-store.ts';
