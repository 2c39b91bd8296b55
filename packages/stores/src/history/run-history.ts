import { type Breaker, type Cost, InvalidOptionError, type Trip } from '@teamfuse/core';
import { type BreakerInternals, type Disclosure, internalsOf } from '@teamfuse/core/kit';
import { orInvalid } from '@teamfuse/core/options';
import type { HistoryStore } from './history-store.ts';
import {
  ask,
  type CheckedPreflight,
  checkPreflight,
  checkStore,
  type PreflightOptions,
  preflight,
} from './preflight.ts';
import { RepeatedFailureError } from './repeated-failure.ts';
import { failureOfError, failureOfTrip } from './run-failure.ts';
import type { RunRecord } from './run-record.ts';

/** Options of {@link runWithHistory} and {@link RunHistory}. */
export interface HistoryOptions extends PreflightOptions {
  /** Keeps the outcomes. */
  readonly store: HistoryStore;
}

/** How a run ended. */
export interface RunEnd {
  /** The trip that stopped it. A manual stop is no failure. */
  readonly trip?: Trip | undefined;
  /** The error that it threw; a trip takes precedence. `excerpts` and `redact` of the breaker apply. */
  readonly error?: unknown;
  /** Whether the caller aborted it, which is no failure. */
  readonly isGivenUp?: boolean;
}

/** Records how the runs of one task end. For adapters; {@link runWithHistory} does the same for a function. */
export class RunHistory {
  readonly #breaker: Breaker;
  readonly #internals: BreakerInternals;
  readonly #store: HistoryStore;
  readonly #options: CheckedPreflight;

  /** @throws {@link InvalidOptionError} naming the option, the expected and the received value. */
  constructor(breaker: Breaker, given: HistoryOptions) {
    const internals = orInvalid('breaker', 'a Breaker', breaker, () => internalsOf(breaker));
    if (internals === undefined) throw new InvalidOptionError('breaker', 'a Breaker', breaker);
    const { store, ...options } = orInvalid('options', 'an object', given, () => ({ ...given }));
    this.#breaker = breaker;
    this.#internals = internals;
    this.#store = checkStore(store, ['append', 'latest', 'clear']);
    this.#options = checkPreflight(options);
  }

  /**
   * Begins a run, unless the latest ones all ended in the same failure. Returns the function that records how the run ended.
   * The breaker emits errors of the store; they prevent no run.
   * @throws {@link RepeatedFailureError}
   */
  async begin(): Promise<(end: RunEnd) => Promise<void>> {
    try {
      await preflight(this.#store, this.#options);
    } catch (error) {
      if (error instanceof RepeatedFailureError) throw error;
      this.#internals.reportError(error, 'history');
    }
    const before = this.#breaker.cost;
    return (end) => this.#keep(end, before);
  }

  async #keep(end: RunEnd, before: Cost): Promise<void> {
    try {
      const { task } = this.#options;
      const { disclosure } = this.#internals;
      const cost = difference(this.#breaker.cost, before);
      const record = { task, at: this.#breaker.now(), ...outcomeOf(end, disclosure), cost };
      await ask('append', () => this.#store.append(record), this.#options);
    } catch (error) {
      this.#internals.reportError(error, 'history');
    }
  }
}

function outcomeOf(end: RunEnd, disclosure: Disclosure): Pick<RunRecord, 'outcome' | 'failure'> {
  const { trip, isGivenUp = false } = end;
  if (trip?.kind === 'manual') return { outcome: 'stopped' };
  if (trip !== undefined) return { outcome: 'failed', failure: failureOfTrip(trip) };
  if (isGivenUp) return { outcome: 'stopped' };
  if (!('error' in end)) return { outcome: 'completed' };
  return { outcome: 'failed', failure: failureOfError(end.error, disclosure) };
}

function difference(after: Cost, before: Cost): Cost {
  return {
    nanoUsd: after.nanoUsd - before.nanoUsd,
    tokens: after.tokens - before.tokens,
    unpricedTokens: after.unpricedTokens - before.unpricedTokens,
    isEstimate: after.isEstimate,
  };
}
