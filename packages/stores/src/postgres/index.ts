export { migrate } from './migrate.ts';
export { PostgresBudgetStore, type PostgresBudgetStoreOptions } from './postgres-budget-store.ts';
export {
  PostgresCircuitStore,
  type PostgresCircuitStoreOptions,
} from './postgres-circuit-store.ts';
export type { PostgresClient } from './postgres-client.ts';
export {
  PostgresConversationStore,
  type PostgresConversationStoreOptions,
} from './postgres-conversation-store.ts';
export type { PostgresNotification, PostgresSubscriber } from './postgres-subscriber.ts';
