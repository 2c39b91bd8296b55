/** Lets one wait until another one has done something. */
export class Bell {
  #wake: (() => void) | undefined;

  ring(): void {
    this.#wake?.();
    this.#wake = undefined;
  }

  /** Resolves with the next ring. One waits at a time. */
  rung(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
