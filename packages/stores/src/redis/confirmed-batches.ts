interface Asked {
  readonly command: () => Promise<unknown>;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends commands whose answers count once they are confirmed. A server that confirms does nothing else for a connection meanwhile, so
 * what is asked by then is sent together, and confirmed at once.
 */
export class ConfirmedBatches {
  readonly #confirm: () => Promise<void>;
  #next: Asked[] = [];
  #isUnderWay = false;

  /** `confirm` asks about all that was sent before in the same turn, and rejects when it is not confirmed. */
  constructor(confirm: () => Promise<void>) {
    this.#confirm = confirm;
  }

  send(command: () => Promise<unknown>): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#next.push({ command, resolve, reject });
      if (!this.#isUnderWay) this.#sendSoon();
    });
  }

  /** Whoever has just got an answer may ask again in this turn. */
  #sendSoon(): void {
    this.#isUnderWay = true;
    setImmediate(() => this.#sendAll());
  }

  /** In one turn, so that no new connection can come between a command and the question about it. */
  #sendAll(): void {
    const batch = this.#next;
    this.#next = [];
    const answers = batch.map(({ command }) => begun(command));
    const confirmed = begun(this.#confirm);
    for (const [i, { resolve, reject }] of batch.entries()) {
      const answer = answers[i] as Promise<unknown>;
      answer.then((value) => confirmed.then(() => resolve(value), reject), reject);
    }
    const sent = (): void => {
      this.#isUnderWay = false;
      if (this.#next.length > 0) this.#sendSoon();
    };
    Promise.allSettled([...answers, confirmed]).then(sent, sent);
  }
}

/** A client may also throw at once. */
async function begun<T>(command: () => Promise<T>): Promise<T> {
  return command();
}
