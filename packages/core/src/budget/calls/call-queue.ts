import type { MaybePromise } from '../../maybe-promise.ts';

/** What ends a wait: calls `end` when it is over, and returns how to stop listening. */
export type WaitEnd = (end: () => void) => () => void;

/** A call in the queue. */
interface Waiting<T> {
  /** Asks once more. `undefined` lets it go on waiting. */
  readonly ask: () => MaybePromise<T | undefined>;
  readonly leave: (answer: T) => void;
  readonly fail: (error: unknown) => void;
  /** Undoes an answer that came after the wait had ended. */
  readonly undo: (answer: T) => void;
  hasEnded: boolean;
}

/** Calls that wait for others to end, first come, first served. @internal */
export class CallQueue<T> {
  readonly #waiting: Waiting<T>[] = [];
  readonly #emptied: () => void;
  #isServing = false;
  #isStale = false;

  /** `emptied` is called when the last one has left. */
  constructor(emptied: () => void) {
    this.#emptied = emptied;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Waits for an answer; for `undefined` if the wait ends before there is one. */
  wait(
    ask: () => MaybePromise<T | undefined>,
    undo: (answer: T) => void,
    until: WaitEnd,
  ): Promise<T | undefined> {
    return new Promise((resolve, reject) => {
      let unsubscribe: (() => void) | undefined;
      const ended =
        <A>(then: (value: A) => void) =>
        (value: A): void => {
          unsubscribe?.();
          then(value);
        };
      const one: Waiting<T> = {
        ask,
        leave: ended(resolve),
        fail: ended(reject),
        undo,
        hasEnded: false,
      };
      this.#waiting.push(one);
      unsubscribe = until(() => {
        if (one.hasEnded) return;
        one.hasEnded = true;
        this.#remove(one);
        unsubscribe?.();
        resolve(undefined);
        // Those behind it may fit.
        this.serve();
      });
      this.serve();
    });
  }

  /** Something has changed: asks for the first, and for those behind it as far as they get an answer. */
  serve(): void {
    if (this.#isServing) this.#isStale = true;
    else if (!this.isEmpty) void this.#serve();
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    do {
      this.#isStale = false;
      for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
        if (!(await this.#answer(first))) break;
      }
    } while (this.#isStale);
    this.#isServing = false;
  }

  /** Whether the one that was asked for waits no more. */
  async #answer(one: Waiting<T>): Promise<boolean> {
    let leave: () => void;
    try {
      const answer = await one.ask();
      if (one.hasEnded && answer !== undefined) one.undo(answer);
      if (one.hasEnded) return true;
      if (answer === undefined) return false;
      leave = () => one.leave(answer);
    } catch (error) {
      leave = () => one.fail(error);
    }
    if (!one.hasEnded) {
      one.hasEnded = true;
      this.#remove(one);
      leave();
    }
    return true;
  }

  #remove(one: Waiting<T>): void {
    const at = this.#waiting.indexOf(one);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.isEmpty) this.#emptied();
  }
}
