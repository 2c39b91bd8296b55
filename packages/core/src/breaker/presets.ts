import type { BreakerOptions } from './breaker-options.ts';

/** The name of a preset, as a `teamfuse.toml` gives it. */
export type Preset = 'classic';

/**
 * Named sets of options to start with. `classic` has the six numbers usually given for circuit breakers of agent teams: 5 US
 * dollars, 3 rounds of speakers without news, 5 consecutive failures, 60 messages, a history 3 times as long, and a cool-down
 * of 60 seconds. A budget in dollars needs prices.
 *
 * @example
 * ```ts
 * const breaker = new Breaker({ ...PRESETS.classic, maxMessages: 2 });
 * breaker.observe({ kind: 'message', at: 0, agent: 'writer', text: 'A first draft.' }); // => undefined
 * breaker.observe({ kind: 'message', at: 1, agent: 'critic', text: 'Too long.' })?.kind; // => 'limit'
 * ```
 */
export const PRESETS: Readonly<Record<Preset, BreakerOptions>> = {
  classic: {
    budget: { maxUsd: 5 },
    speakerCycle: { limit: 3 },
    executionStorm: { limit: 5 },
    nestedCascade: { limit: 2 },
    maxMessages: 60,
    historyDrift: { ratio: 3 },
    cooldownMs: 60_000,
  },
};
