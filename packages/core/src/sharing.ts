export { type ConversationSnapshot, SNAPSHOT_VERSION } from './breaker/breaker-snapshot.ts';
export { formatUsd } from './budget/amount.ts';
export { COST } from './budget/cost.ts';
export { type CircuitEvent, CLOSED, MAX_COOLDOWN_MS, transition } from './circuit/circuit.ts';
export { CIRCUIT } from './circuit/circuit-codec.ts';
export {
  type CircuitFollower,
  isCountedHere,
  type ShareCircuits,
  type SharedCircuits,
  type SharedCircuitsParts,
  withoutQuotes,
} from './circuit/circuit-sharing.ts';
export { MACHINE_TIMERS } from './common/clock.ts';
export { withTimeout as within } from './common/deadline.ts';
export { cleanText } from './common/excerpt.ts';
export * as codecs from './state/codec.ts';
