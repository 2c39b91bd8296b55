import { type ErrorHandler, isPromise, signalError, type TapCheck } from '@teamfuse/adapter-kit';
import {
  type AnyFunction,
  Breaker,
  isTripped,
  type JsonValue,
  type MaybePromise,
  type Permit,
  TrippedError,
  toJson,
} from '@teamfuse/core';
import { Alike, type CallEnd, isSame } from './alike.ts';

/** Who calls functions that no agent calls. */
const CALLER = 'code';
/** So often a known loop is sent through a function's tap. */
const REHEARSED_CALLS = 5;

/** A function whose calls a breaker is asked for, and told of, until the tap is taken off. */
export class GuardedFunction<F extends AnyFunction = AnyFunction> {
  readonly name: string;
  /** The guarded function. It keeps its type, its `this` and its properties. */
  readonly fn: F;
  readonly #breaker: Breaker;
  readonly #onError: ErrorHandler;
  readonly #alike: Alike = new Alike();
  #isActive = true;

  constructor(fn: F, name: string, breaker: Breaker, onError: ErrorHandler) {
    this.name = name;
    this.#breaker = breaker;
    this.#onError = onError;
    this.fn = new Proxy(fn, {
      apply: (_target, self: unknown, args) =>
        this.#call(() => Reflect.apply(fn, self, args), args),
    });
  }

  /** From now on the function is called as if it had never been guarded. */
  remove(): void {
    this.#isActive = false;
  }

  /** Sends a known loop through a tap like this one, with a breaker and a function of its own. */
  check(): TapCheck {
    const owner = `function '${this.name}'`;
    let calls = 0;
    const rehearsal = new GuardedFunction(
      () => ++calls && 'same',
      this.name,
      new Breaker(),
      this.#onError,
    );
    let refusals = 0;
    for (let i = 0; i < REHEARSED_CALLS; i++) {
      try {
        rehearsal.fn();
      } catch (error) {
        if (isTripped(error)) refusals++;
      }
    }
    const isWorking = this.#isActive && refusals > 0 && calls + refusals === REHEARSED_CALLS;
    const problem = this.#isActive ? 'a known loop was not stopped' : 'the guard is uninstalled';
    return { owner, member: 'call', isWorking, ...(!isWorking && { problem }) };
  }

  #call(work: () => unknown, args: readonly unknown[]): unknown {
    if (!this.#isActive) return work();
    const call = { agent: CALLER, tool: this.name, args: toJson(args) };
    // Told before it is made, so that the call that would complete a loop is refused and not the one after it.
    const expected = this.#alike.expectedEnd(call.args);
    if (expected !== undefined) this.#report(call, expected);
    const admission = this.#breaker.admit({ kind: 'tool-call', ...call, at: this.#breaker.now() });
    const go = (answer: Awaited<typeof admission>): unknown => {
      if (!answer.isAdmitted) throw new TrippedError(answer.trip);
      return this.#run(work, call, answer.permit, expected);
    };
    // The answer comes at once unless a judge is waited for.
    return isPromise(admission) ? admission.then(go) : go(admission);
  }

  #run(
    work: () => unknown,
    call: Call,
    permit: Permit,
    expected: CallEnd | undefined,
  ): MaybePromise<unknown> {
    const report = (end: CallEnd): void => {
      this.#alike.add(call.args, end);
      if (expected === undefined || !isSame(end, expected)) this.#report(call, end);
    };
    const failed = (error: unknown): never => {
      // A refused call inside this one is no failure of it.
      if (!isTripped(error)) report({ error: signalError(error) });
      permit.release();
      throw error;
    };
    const ended = (value: unknown): unknown => {
      report({ result: toJson(value) });
      permit.release();
      return value;
    };
    let value: unknown;
    try {
      value = work();
    } catch (error) {
      return failed(error);
    }
    return isPromise(value) ? value.then(ended, failed) : ended(value);
  }

  #report(call: Call, end: CallEnd): void {
    try {
      this.#breaker.observe({ kind: 'tool-call', ...call, ...end, at: this.#breaker.now() });
    } catch (error) {
      this.#onError({ during: 'observe', error });
    }
  }
}

interface Call {
  readonly agent: string;
  readonly tool: string;
  readonly args: JsonValue;
}
