interface Console {
  readonly console?: { warn?(text: string): void };
}

/** Prints the first error that has no listener to the console. */
export class UntoldErrors {
  readonly #textOf: (error: unknown) => string;
  readonly #listener: string;
  #isTold = false;

  /**
   * @param textOf what may be told of an error.
   * @param listener tells how to listen to errors.
   */
  constructor(textOf: (error: unknown) => string, listener = "breaker.on('error', …)") {
    this.#textOf = textOf;
    this.#listener = listener;
  }

  tell(error: unknown, during: string): void {
    if (this.#isTold) return;
    this.#isTold = true;
    try {
      (globalThis as Console).console?.warn?.(
        `Teamfuse: an error occurred (${during}): ${this.#textOf(error)}. The run continues. Listen with ${this.#listener}; further errors are not shown here.`,
      );
    } catch {
      // An error that cannot be shown must not end the run either.
    }
  }
}
