import type { CodeResult } from './code-executor.ts';

/** What an executor is running, so that closing it can cancel and await it. */
export class Runs {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<CodeResult>>();

  async add(
    signal: AbortSignal | undefined,
    run: (signal: AbortSignal) => Promise<CodeResult>,
  ): Promise<CodeResult> {
    const { signal: closing } = this.#closing;
    const running = run(AbortSignal.any(signal ? [closing, signal] : [closing]));
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async cancel(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
  }
}
