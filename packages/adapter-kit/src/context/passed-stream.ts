import { type Trip, TrippedError } from '@teamfuse/core';
import {
  andThen,
  inBackground,
  isPromise,
  type MaybePromise,
  type Outcome,
  orRejection,
} from '@teamfuse/core/kit';
import type { GuardActivity } from './error-report.ts';
import type { RunTenant } from './for-whom.ts';
import type { Scope } from './scope.ts';
import type { StreamWithResult } from './stream-with-result.ts';

/** The part of a guard's context that passing a stream on needs. */
interface StreamContext<L> {
  within<A extends readonly unknown[], U>(
    scope: Scope<L> | undefined,
    work: (...args: A) => U,
    ...args: A
  ): U;
  readonly shared: {
    readonly scope: Scope | undefined;
    readonly tenant: RunTenant | undefined;
    enterFor<U>(tenant: RunTenant, work: () => U): U;
    enter<A extends readonly unknown[], U>(scope: Scope, work: (...args: A) => U, ...args: A): U;
  };
  untilStopped<U>(work: Promise<U>, signal?: AbortSignal): Promise<U>;
  report(during: GuardActivity, error: unknown): void;
}

/** A stream that is passed on, with its hooks. */
export interface StreamWork<T, R, L> {
  readonly open: () => StreamWithResult<T, R>;
  /** The place of all that the stream does. @defaultValue where its reader is */
  readonly scope?: Scope<L> | undefined;
  /** Whether it has no steps inside, so that the wait for an item ends when the run is aborted. @defaultValue false */
  readonly isLeaf?: boolean | undefined;
  /** Receives each item at the place of the stream, before the reader does. What it throws is reported. */
  readonly onItem?: ((item: T) => void) | undefined;
  /** Why nothing is wanted of it after the latest item; `undefined` while it goes on. */
  readonly stopped?: (() => Trip | undefined) | undefined;
  /** Receives each item after that, where the reader is. */
  readonly afterItem?: ((item: T) => void) | undefined;
  /** Receives how it ended, once; `undefined` if its reader has left. It may replace an error by a last item. */
  readonly onEnd?: (
    outcome: Outcome<R> | undefined,
  ) => MaybePromise<{ readonly item: T } | undefined>;
}

/**
 * Passes a stream on and runs all its work at one place: a generator would run in the async context of each caller of `next()`.
 * `begin` is called for the first item; if it fails, there is no stream. It is for whom the stream was opened, whoever reads it.
 */
export function passOn<T, R, L>(
  context: StreamContext<L>,
  begin: () => MaybePromise<StreamWork<T, R, L>>,
): AsyncGenerator<T, R> {
  return new PassedStream(context, begin);
}

/** Not a generator: each generator in a chain adds several promises to every item. */
class PassedStream<T, R, L> implements AsyncGenerator<T, R> {
  readonly #context: StreamContext<L>;
  readonly #begin: () => MaybePromise<StreamWork<T, R, L>>;
  readonly #tenant: RunTenant | undefined;
  #begun: MaybePromise<StreamWork<T, R, L>> | undefined;
  #iterator: AsyncIterator<T, R> | undefined;
  #isOver = false;

  constructor(context: StreamContext<L>, begin: () => MaybePromise<StreamWork<T, R, L>>) {
    this.#context = context;
    this.#begin = begin;
    const { scope, tenant } = context.shared;
    this.#tenant = scope === undefined ? tenant : undefined;
  }

  // Not `async`, as each promise costs more where places are followed, and all that a team streams comes through here.
  next(): Promise<IteratorResult<T, R>> {
    return this.#within(() => this.#next());
  }

  return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    return this.#within(() => this.#return(value));
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

  #within<U>(work: () => U): U {
    return this.#tenant === undefined ? work() : this.#context.shared.enterFor(this.#tenant, work);
  }

  #next(): Promise<IteratorResult<T, R>> {
    if (this.#isOver) return Promise.resolve({ done: true, value: undefined as R });
    this.#begun ??= orRejection(this.#begin);
    if (!isPromise(this.#begun)) return this.#draw(this.#begun);
    return this.#begun.then(
      (work) => this.#draw(work),
      (error: unknown) => {
        this.#isOver = true;
        throw error;
      },
    );
  }

  async #return(value: R | PromiseLike<R>): Promise<IteratorResult<T, R>> {
    const work = this.#isOver ? undefined : await this.#begun;
    try {
      if (work !== undefined) {
        const left = async (): Promise<unknown> => this.#iterator?.return?.();
        await this.#wait(work, this.#context.within(work.scope, left));
      }
    } finally {
      if (work !== undefined) await this.#end(work, undefined);
      this.#isOver = true;
    }
    return { done: true, value: await value };
  }

  #draw(work: StreamWork<T, R, L>): Promise<IteratorResult<T, R>> {
    const trip = work.stopped?.();
    if (trip !== undefined) return this.#failed(work, new TrippedError(trip));
    const context = this.#context;
    let asked: Promise<IteratorResult<T, R>>;
    try {
      const drawn = context.within(work.scope, () => this.#stream(work).next());
      asked = this.#wait(work, Promise.resolve(drawn));
    } catch (error) {
      return this.#failed(work, error);
    }
    return asked.then(
      (step) => {
        if (step.done === true) return andThen(this.#end(work, { value: step.value }), () => step);
        const { onItem, afterItem } = work;
        try {
          if (work.scope === undefined) onItem?.(step.value);
          else if (onItem !== undefined) context.shared.enter(work.scope, onItem, step.value);
        } catch (error) {
          context.report('observe', error);
        }
        afterItem?.(step.value);
        if (work.stopped?.() !== undefined) this.#leave(work);
        return step;
      },
      (error: unknown) => this.#failed(work, error),
    );
  }

  /** Ends the stream at its source, which nobody waits for. */
  #leave({ scope }: StreamWork<T, R, L>): void {
    const left = async (): Promise<unknown> => this.#iterator?.return?.();
    inBackground(this.#context.within(scope, left), (error) =>
      this.#context.report('observe', error),
    );
  }

  async #failed(work: StreamWork<T, R, L>, error: unknown): Promise<IteratorResult<T, R>> {
    const last = await this.#end(work, { error });
    if (last === undefined) throw error;
    return { done: false, value: last.item };
  }

  #stream(work: StreamWork<T, R, L>): AsyncIterator<T, R> {
    this.#iterator ??= work.open()[Symbol.asyncIterator]();
    return this.#iterator;
  }

  #wait<U>({ scope, isLeaf }: StreamWork<T, R, L>, asked: Promise<U>): Promise<U> {
    return isLeaf === true ? this.#context.untilStopped(asked, scope?.run.signal) : asked;
  }

  #end(
    { onEnd }: StreamWork<T, R, L>,
    outcome: Outcome<R> | undefined,
  ): MaybePromise<{ readonly item: T } | undefined> {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    return onEnd?.(outcome);
  }
}
