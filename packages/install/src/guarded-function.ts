import type { ErrorHandler, TapCheck } from '@teamfuse/adapter-kit';
import { Breaker, type Conversation, isTripped } from '@teamfuse/core';
import {
  type AnyFunction,
  askedOf,
  isAsyncFunction,
  isRealPromise,
  orRejection,
  runStep,
  type StepHost,
  tell,
} from '@teamfuse/core/kit';

/** The agent name for calls from code. */
const CALLER = 'code';
/** How many calls of a known loop test a function's tap. */
const REHEARSED_CALLS = 5;

/** A function whose calls are admitted and observed by a breaker until the tap is removed. */
export class GuardedFunction<F extends AnyFunction = AnyFunction> {
  readonly name: string;
  /** The guarded function. It keeps its type, its `this` and its properties. */
  readonly fn: F;
  readonly #conversation: Conversation;
  readonly #onError: ErrorHandler;
  #isActive = true;
  #isAsync: boolean;

  constructor(fn: F, name: string, conversation: Conversation, onError: ErrorHandler) {
    this.name = name;
    this.#conversation = conversation;
    this.#onError = onError;
    this.#isAsync = isAsyncFunction(fn);
    this.fn = new Proxy(fn, {
      apply: (_target, self: unknown, args) =>
        this.#call(() => Reflect.apply(fn, self, args), args),
    });
  }

  /** Stops guarding: later calls go straight to the function. */
  remove(): void {
    this.#isActive = false;
  }

  /** Sends a known loop through a copy of this tap, with its own breaker and function. */
  check(): TapCheck {
    const owner = `function '${this.name}'`;
    const conversation = new Breaker().conversation('');
    let calls = 0;
    const work = () => ++calls && 'same';
    const rehearsal = new GuardedFunction(work, this.name, conversation, this.#onError);
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
    const conversation = this.#conversation;
    const call = { agent: CALLER, tool: this.name, args: askedOf(args), at: conversation.now() };
    const host: StepHost = {
      // Calls of a function that answers at once are never side by side.
      admit: (request) => conversation.admit(request, { willRelease: this.#isAsync }),
      observe: (signal) => conversation.observe(signal),
      // A function that runs is waited for.
      onOpen: () => () => {},
      refusal: () => undefined,
      reportError: (error) => tell(this.#onError, { during: 'observe', error }),
      now: () => conversation.now(),
    };
    const worked = (): unknown => {
      const value = work();
      this.#isAsync ||= isRealPromise(value);
      return value;
    };
    const run = (): unknown =>
      runStep<unknown>(host, { kind: 'tool-call', ...call }, worked, { isAsIs: true });
    return this.#isAsync ? orRejection(run) : run();
  }
}
