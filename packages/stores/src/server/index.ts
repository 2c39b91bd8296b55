export { booksIn } from './amounts.ts';
export type { Booking, BudgetServer, LeaseAnswer, LeaseRequest } from './budget-server.ts';
export type { Changes, CircuitChange, CircuitServer } from './circuits/circuit-server.ts';
export {
  SERVER_CIRCUIT_OPTIONS,
  type ServerCircuitOptions,
  ServerCircuitStore,
} from './circuits/server-circuit-store.ts';
export { changesIn, circuitIn, textsOf } from './circuits/stored-circuits.ts';
export {
  type ConversationSave,
  type ConversationServer,
  SERVER_CONVERSATION_OPTIONS,
  type ServerConversationOptions,
  ServerConversationStore,
} from './conversations/server-conversation-store.ts';
export { ServerBudgetStore } from './server-budget-store.ts';
export {
  type ReadServerStoreOptions,
  readServerStoreOptions,
  type ServerStoreOptions,
} from './server-store-options.ts';
