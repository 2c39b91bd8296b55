import type { MaybePromise } from '@teamfuse/core';
import { isPromise } from './maybe-promise.ts';
import type { StepOutcome } from './step-options.ts';

/** Where a stream is passed on. */
export interface StreamPlace {
  /** Makes a request of the stream at its place. @defaultValue where its reader is */
  readonly within?: <U>(work: () => U) => U;
  /** May end the wait for an answer of the stream, which is left alone then. */
  readonly wait?: <U>(answer: Promise<U>) => Promise<U>;
}

/** A stream that is passed on, and what goes on around it. */
export interface StreamWork<T, R> extends StreamPlace {
  readonly open: () => AsyncIterable<T, R>;
  /** Receives each item at the place of the stream, before the reader does. */
  readonly heard?: ((item: T) => void) | undefined;
  /** Receives how it ended, once; `undefined` if its reader has left. It may give a last item in place of an error. */
  readonly ended?: (
    outcome: StepOutcome<R> | undefined,
  ) => MaybePromise<{ readonly item: T } | undefined>;
}

/**
 * Passes a stream on and runs everything it does at a place: a generator runs in the async context of whoever asks for its
 * next item. `begin` is called when the first item is asked for; if it fails, there is no stream.
 */
export function passOn<T, R>(begin: () => MaybePromise<StreamWork<T, R>>): AsyncGenerator<T, R> {
  return new PassedStream(begin);
}

/** No generator itself: an item costs several promises more with each of those that it comes through. */
class PassedStream<T, R> implements AsyncGenerator<T, R> {
  readonly #begin: () => MaybePromise<StreamWork<T, R>>;
  #begun: MaybePromise<StreamWork<T, R>> | undefined;
  #iterator: AsyncIterator<T, R> | undefined;
  #isOver = false;

  constructor(begin: () => MaybePromise<StreamWork<T, R>>) {
    this.#begin = begin;
  }

  async next(): Promise<IteratorResult<T, R>> {
    if (this.#isOver) return { done: true, value: undefined as R };
    let work: StreamWork<T, R>;
    try {
      this.#begun ??= this.#begin();
      work = isPromise(this.#begun) ? await this.#begun : this.#begun;
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
    const { wait, heard } = work;
    try {
      const asked = within(work, () => this.#stream(work).next());
      const step = await (wait === undefined ? asked : wait(asked));
      if (step.done === true) {
        const ending = this.#end(work, { value: step.value });
        if (isPromise(ending)) await ending;
      } else if (heard !== undefined) within(work, () => heard(step.value));
      return step;
    } catch (error) {
      const last = await this.#end(work, { error });
      if (last === undefined) throw error;
      return { done: false, value: last.item };
    }
  }

  async return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    const work = this.#isOver ? undefined : await this.#begun;
    try {
      const { wait } = work ?? {};
      const asked = work && within(work, async () => this.#iterator?.return?.());
      await (asked && wait ? wait(asked) : asked);
    } finally {
      if (work !== undefined) await this.#end(work, undefined);
      this.#isOver = true;
    }
    return { done: true, value: await value };
  }

  async throw(error: unknown): Promise<never> {
    await this.return(undefined as R);
    throw error;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return(undefined as R);
  }

  #stream(work: StreamWork<T, R>): AsyncIterator<T, R> {
    this.#iterator ??= work.open()[Symbol.asyncIterator]();
    return this.#iterator;
  }

  #end(
    { ended }: StreamWork<T, R>,
    outcome: StepOutcome<R> | undefined,
  ): MaybePromise<{ readonly item: T } | undefined> {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    return ended?.(outcome);
  }
}

function within<U>({ within: enter }: StreamPlace, work: () => U): U {
  return enter === undefined ? work() : enter(work);
}
