import { ModelClientError } from '../errors.ts';

/** How long a model call may take, and who may end it sooner. */
export interface ModelCallOptions {
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** One model call from the first try to the last byte: everything it waits for ends when the call is over. */
export class ModelCall {
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #endsAt: number;
  readonly #cancel = (): void => this.#stop(cancelled(this.#outer));
  #error: ModelClientError | undefined;

  constructor({ signal, timeoutMs }: ModelCallOptions) {
    this.#outer = signal;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#stop(timedOut(timeoutMs)), timeoutMs);
    if (signal?.aborted) this.#cancel();
    else signal?.addEventListener('abort', this.#cancel, { once: true });
  }

  /** Aborted when the call is over, for whatever reason. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Why the call ended before its answer was there; `undefined` as long as it did not. */
  get error(): ModelClientError | undefined {
    return this.#error;
  }

  /** The result of `work`, unless the call is over first. Work that does not end then is left alone. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => reject(this.#error);
      if (this.signal.aborted) stop();
      else this.signal.addEventListener('abort', stop, { once: true });
      work.then(resolve, reject).finally(() => this.signal.removeEventListener('abort', stop));
    });
  }

  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    try {
      await this.race(
        new Promise((resolve) => {
          timer = setTimeout(resolve, ms);
        }),
      );
    } finally {
      clearTimeout(timer);
    }
  }

  /** Releases the timer, the signal and any open connection. */
  end(): void {
    clearTimeout(this.#timer);
    this.#outer?.removeEventListener('abort', this.#cancel);
    this.#controller.abort();
  }

  #stop(error: ModelClientError): void {
    this.#error ??= error;
    this.end();
  }
}

function cancelled(signal: AbortSignal | undefined): ModelClientError {
  return new ModelClientError('CANCELLED', 'the model call was cancelled', {
    cause: signal?.reason,
  });
}

function timedOut(timeoutMs: number): ModelClientError {
  return new ModelClientError(
    'TIMEOUT',
    `the model server did not answer in time: ${timeoutMs} ms, retries included`,
  );
}
