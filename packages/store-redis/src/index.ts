export { RedisBudgetStore, type RedisBudgetStoreOptions } from './redis-budget-store.ts';
export type { IoRedisClient, NodeRedisClient, NodeRedisEval, RedisClient } from './redis-client.ts';
