export { migrate } from './migrate.ts';
export { PostgresBudgetStore, type PostgresBudgetStoreOptions } from './postgres-budget-store.ts';
export type { PostgresClient } from './postgres-client.ts';
