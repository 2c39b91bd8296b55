import { functionOf, orInvalid } from '@teamfuse/core/options';
import type { ShareCircuits } from '@teamfuse/core/sharing';
import type { CircuitStore } from './circuit-store.ts';
import { FleetCircuits } from './fleet-circuits.ts';

/**
 * The option `circuits` of a breaker: it shares its circuits with all breakers that are given the same store, or one of the same fleet.
 *
 * @throws {@link InvalidOptionError} naming a method that the store lacks.
 * @example
 * ```ts
 * const circuits = shared(new MemoryCircuitStore());
 * const [here, there] = [new Breaker({ circuits }), new Breaker({ circuits })];
 * here.conversation('chat 7').stop('enough').kind; // => 'manual'
 * there.conversation('chat 7').state.status; // => 'stopped'
 * ```
 */
export function shared(store: CircuitStore): ShareCircuits {
  for (const name of ['apply', 'follow'] as const) {
    const option = `circuits.${name}`;
    functionOf(
      option,
      orInvalid(option, 'a function', store, () => store[name]),
    );
  }
  return (parts) => new FleetCircuits(store, parts);
}
