export type { ForWhom, WorkInfo } from '@teamfuse/adapter-kit';
export type { ClientOptions } from './client-options.ts';
export { type ClientGuard, guardClient } from './guard-client.ts';
export { type GuardableClient, isClient } from './shapes.ts';
