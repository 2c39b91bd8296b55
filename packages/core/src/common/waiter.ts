/** Calls `end` to end a wait, and returns the function that unsubscribes. */
export type OnCancel = (end: () => void) => () => void;

/** One that stands in a line until it is answered or its wait is cancelled. */
export class Waiter<T> {
  readonly #leave: () => void;
  #unsubscribe: (() => void) | undefined;
  #resolve: (answer: T | undefined) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #hasEnded = false;

  /** `leave` is called once, when the wait ends. */
  constructor(leave: () => void) {
    this.#leave = leave;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Waits for the answer; `undefined` if `until` has ended the wait, after which `cancelled` is called. */
  wait(until: OnCancel, cancelled: () => void = () => {}): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      const unsubscribe = until(() => {
        if (!this.#end()) return;
        resolve(undefined);
        cancelled();
      });
      if (this.#hasEnded) unsubscribe();
      else this.#unsubscribe = unsubscribe;
    });
  }

  answer(answer: T): void {
    if (this.#end()) this.#resolve(answer);
  }

  fail(error: unknown): void {
    if (this.#end()) this.#reject(error);
  }

  /** Whether it has ended by this. */
  #end(): boolean {
    if (this.#hasEnded) return false;
    this.#hasEnded = true;
    this.#leave();
    this.#unsubscribe?.();
    return true;
  }
}
