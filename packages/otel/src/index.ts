/**
 * Tells OpenTelemetry what happens in breakers.
 *
 * @module
 */
export { type InstrumentOptions, instrumentBreaker } from './instrument-breaker.ts';
export type { InstrumentableBreaker } from './instrumentable-breaker.ts';
