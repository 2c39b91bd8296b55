import { observe } from '@teamfuse/cli';
import {
  Breaker,
  type BreakerOptions,
  InvalidOptionError,
  type Signal,
  type Trip,
} from '@teamfuse/core';
import type { FindingKind } from '@teamfuse/core/detectors';

/** Whatever watches a conversation and may say stop. */
export interface Watcher {
  /** Takes the next signal in, and gives the kind of the reason if this is where to stop. */
  observe(signal: Signal): FindingKind | undefined;
  /** Resolves when what was asked about the signals so far is answered. */
  answered?(): PromiseLike<unknown> | undefined;
}

/** Makes a watcher for one conversation. */
export interface StopPolicy {
  readonly name: string;
  watch(options: BreakerOptions): Watcher;
}

/** Our breaker with its defaults, told only what a user declares. `overrides` come on top. */
export function breakerPolicy(name: string, overrides: BreakerOptions = {}): StopPolicy {
  return { name, watch: (options) => new BreakerWatcher(merge(options, overrides)) };
}

/** Where and why a policy stopped. */
export interface Stop {
  /** Index of the signal, from 0. */
  readonly index: number;
  readonly kind: FindingKind;
}

/**
 * Runs a conversation past a policy until it says stop. A judge is taken to answer while the next step is under way, so that
 * its answer stops the team there.
 */
export async function firstStop(
  policy: StopPolicy,
  signals: readonly Signal[],
  options: BreakerOptions,
): Promise<Stop | undefined> {
  let watcher: Watcher;
  try {
    watcher = policy.watch(options);
  } catch (error) {
    if (!(error instanceof InvalidOptionError)) throw error;
    // Options that are refused stop the run before its first signal.
    return { index: 0, kind: 'limit' };
  }
  for (const [index, signal] of signals.entries()) {
    const kind = watcher.observe(signal);
    if (kind !== undefined) return { index, kind };
    const answered = watcher.answered?.();
    if (answered !== undefined) await answered;
  }
  return undefined;
}

/** Runs a conversation past our breaker until it trips. Options that are refused throw. */
export function firstTrip(signals: readonly Signal[], options: BreakerOptions): Trip | undefined {
  const watcher = new BreakerWatcher(options);
  for (const signal of signals) if (watcher.observe(signal) !== undefined) return watcher.trip;
  return undefined;
}

class BreakerWatcher implements Watcher {
  readonly #breaker: Breaker;
  #at = 0;
  #failure: { readonly error: unknown } | undefined;

  constructor(options: BreakerOptions) {
    this.#breaker = new Breaker({ ...options, now: () => this.#at });
  }

  get trip(): Trip | undefined {
    return this.#breaker.conversation().trip;
  }

  answered(): PromiseLike<unknown> | undefined {
    const answered = this.#breaker.conversation().answered();
    return answered !== undefined && 'then' in answered ? answered : undefined;
  }

  observe(signal: Signal): FindingKind | undefined {
    this.#at = signal.at;
    if (this.#failure !== undefined) throw this.#failure.error;
    observe(this.#breaker, signal, (error) => {
      this.#failure = { error };
    });
    return this.#breaker.conversation().trip?.kind;
  }
}

function merge(options: BreakerOptions, overrides: BreakerOptions): BreakerOptions {
  const merged: Record<string, unknown> = { ...options };
  for (const [name, value] of Object.entries(overrides)) {
    const given = merged[name];
    const isBoth = typeof given === 'object' && typeof value === 'object' && value !== null;
    merged[name] = isBoth ? { ...given, ...value } : value;
  }
  return merged as BreakerOptions;
}
