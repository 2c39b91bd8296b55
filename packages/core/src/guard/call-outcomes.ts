import { RecentMap } from '../analysis/recent-map.ts';
import { number, pair, text } from '../state/codec.ts';
import { type Loop, type LoopOptions, LoopWindow } from './loop-window.ts';
import type { Fingerprints } from './signature.ts';

/** Errors of one call that are worth another try, in a row. */
const MAX_RETRIES = 20;
/** A guard may live as long as its process, and see ever new signatures. */
const MAX_SIGNATURES = 1000;

/** How the latest calls ended, and whether the next one would complete a loop. */
export class CallOutcomes {
  readonly #window: LoopWindow | undefined;
  readonly #fingerprints: Fingerprints;
  /** Milliseconds for which the same result is no loop. */
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  readonly #retries: RecentMap<string, number> = new RecentMap(MAX_SIGNATURES, text, number);
  /** The latest result of each polled call, and since when it is the same. */
  readonly #polled: RecentMap<string, readonly [string, number]> = new RecentMap(
    MAX_SIGNATURES,
    text,
    pair(text, number),
  );

  constructor(
    loop: LoopOptions | false | undefined,
    maxWaitMs: number,
    fingerprints: Fingerprints,
    now: () => number,
  ) {
    this.#window = loop === false ? undefined : new LoopWindow(loop);
    this.#maxWaitMs = maxWaitMs;
    this.#fingerprints = fingerprints;
    this.#now = now;
  }

  /** The loop that a call with this signature would complete. */
  loopBy(signature: string): Loop | undefined {
    return this.#window?.completedBy(signature);
  }

  /** A call has thrown or rejected. */
  threw(signature: string, error: unknown, isRetryable: boolean): void {
    const retries = (this.#retries.get(signature) ?? 0) + 1;
    this.#retries.set(signature, retries);
    if (isRetryable && retries < MAX_RETRIES) return;
    this.#window?.add(signature, this.#fingerprints.ofError(error));
  }

  /** A call has given a result. */
  gave(signature: string, result: unknown, isFailure: boolean): void {
    this.#retries.delete(signature);
    if (isFailure) {
      this.#window?.add(signature, 'failed');
      return;
    }
    const outcome = this.#fingerprints.ofResult(result);
    if (!this.#isPolling(signature, outcome)) this.#window?.add(signature, outcome);
  }

  /** Forgets all calls. */
  clear(): void {
    this.#window?.clear();
    this.#retries.clear();
    this.#polled.clear();
  }

  #isPolling(signature: string, outcome: string): boolean {
    if (this.#maxWaitMs === 0) return false;
    const now = this.#now();
    const [known, since] = this.#polled.get(signature) ?? [outcome, now];
    const from = known === outcome ? since : now;
    this.#polled.set(signature, [outcome, from]);
    return now - from < this.#maxWaitMs;
  }
}
