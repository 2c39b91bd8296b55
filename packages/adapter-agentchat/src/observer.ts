import type { ChatItem } from '@teamfuse/agentchat';
import type { Breaker, Signal } from '@teamfuse/core';
import { Ledger } from './ledger.ts';
import type { Circumstances } from './signals/item-reader.ts';

/** Takes an error that kept something from being observed. */
export type ErrorHandler = (error: unknown) => void;

/**
 * Tells a breaker what happens.
 *
 * Fails open: what cannot be observed is reported and the run goes on. A run is never harmed by being watched.
 */
export class Observer {
  readonly breaker: Breaker;
  readonly ledger: Ledger;
  readonly #onError: ErrorHandler;

  constructor(breaker: Breaker, onError: ErrorHandler = warn) {
    this.breaker = breaker;
    this.ledger = Ledger.of(breaker);
    this.#onError = onError;
  }

  /** Tells what these items say, as far as nobody has told it before. */
  items(items: readonly ChatItem[], circumstances: Omit<Circumstances, 'at'>): void {
    this.attempt(() => {
      const news = this.ledger.enter(items);
      const at = this.breaker.now();
      for (const signal of this.ledger.reader.read(news, { ...circumstances, at })) {
        this.signal(signal);
      }
    });
  }

  /** Tells one thing that happened. */
  signal(signal: Signal): void {
    this.attempt(() => this.breaker.observe(signal));
  }

  /** Does something of the watching; if it fails, that is reported and nothing else. */
  attempt(watch: () => void): void {
    try {
      watch();
    } catch (error) {
      this.report(error);
    }
  }

  /** Reports an error; a handler that throws has nobody left to be told. */
  report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {}
  }
}

/** Shows an error where Node shows warnings: not silent, and harmless. */
function warn(error: unknown): void {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  process.emitWarning(`Something could not be observed. ${text}`, 'TeamfuseWarning');
}
