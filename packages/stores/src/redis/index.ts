export { RedisBudgetStore, type RedisBudgetStoreOptions } from './redis-budget-store.ts';
export { RedisCircuitStore, type RedisCircuitStoreOptions } from './redis-circuit-store.ts';
export type { IoRedisClient, NodeRedisClient, NodeRedisEval, RedisClient } from './redis-client.ts';
export {
  RedisConversationStore,
  type RedisConversationStoreOptions,
} from './redis-conversation-store.ts';
export type {
  IoRedisSubscriber,
  NodeRedisSubscriber,
  RedisSubscriber,
} from './redis-subscriber.ts';
