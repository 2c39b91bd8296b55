export type { ClientOptions } from './client-options.ts';
export {
  type ClientGuard,
  guardClient,
  type WorkInfo,
} from './guard-client.ts';
export { type GuardableClient, isClient } from './shapes.ts';
