export type { CircuitStore, Following, StoredChange, StoredCircuit } from './circuit-store.ts';
export type { ConversationStore, SavedConversation } from './conversation-store.ts';
export { MemoryCircuitStore, type MemoryCircuitStoreOptions } from './memory-circuit-store.ts';
export { MemoryConversationStore } from './memory-conversation-store.ts';
export { type MovingOptions, runInConversation } from './run-in-conversation.ts';
export { shared } from './shared.ts';
