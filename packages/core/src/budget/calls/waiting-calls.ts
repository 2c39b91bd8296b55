import type { Timers } from '../../deadline.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import { WHOLE } from '../purses.ts';
import type { BudgetAnswer, ExpectedCall } from './expected-call.ts';
import { ExpiryTimer } from './expiry-timer.ts';
import type { UnderWay } from './under-way.ts';

/** What ends a wait: calls `end` when it is over, and returns how to stop listening. */
export type WaitEnd = (end: () => void) => () => void;

/** What {@link WaitingCalls} work with. @internal */
export interface WaitingCallsParts {
  /** Asks for a call once more. */
  readonly ask: (call: ExpectedCall) => MaybePromise<BudgetAnswer>;
  /** The names of the purses that a call is paid out of. */
  readonly pursesOf: (call: ExpectedCall) => readonly string[];
  /** Lets go of a reservation that was made after the wait had ended. */
  readonly letGo: (id: string | null) => void;
  /** What they wait for. */
  readonly underWay: UnderWay;
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** How much later than here a reservation expires in the store, at most. */
  readonly storeLagMs: number;
}

/** A call that waits. */
interface Waiting {
  readonly call: ExpectedCall;
  /** The purses in which those behind it have to wait for it. */
  readonly line: Set<string>;
  readonly leave: (answer: BudgetAnswer) => void;
  readonly fail: (error: unknown) => void;
  hasEnded: boolean;
}

/**
 * Model calls that wait for others of this breaker to end: in each purse first come, first served.
 *
 * A call stands in line for every purse that has turned it away, and keeps its place there, so that calls which need fewer
 * purses do not go ahead of it for ever. In the whole budget, which all calls need, it stands only while nothing else is full
 * for it. Calls that need none of these purses do not wait for it.
 * @internal
 */
export class WaitingCalls {
  readonly #parts: WaitingCallsParts;
  readonly #expiry: ExpiryTimer;
  /** The one that has waited longest first. */
  readonly #waiting: Waiting[] = [];
  #isServing = false;
  #isStale = false;

  constructor(parts: WaitingCallsParts) {
    this.#parts = parts;
    this.#expiry = new ExpiryTimer(parts.timers);
  }

  /** The purses of a call in which others stand in line before it. */
  linesFor(call: ExpectedCall): readonly string[] {
    if (this.#waiting.length === 0) return [];
    const isInLine = (name: string): boolean => this.#waiting.some(({ line }) => line.has(name));
    return this.#parts.pursesOf(call).filter(isInLine);
  }

  /** Waits in line for these purses for an answer; for `undefined` if the wait ends before there is one. */
  wait(
    call: ExpectedCall,
    purses: readonly string[],
    until: WaitEnd,
  ): Promise<BudgetAnswer | undefined> {
    return new Promise((resolve, reject) => {
      let unsubscribe: (() => void) | undefined;
      const ended = (then: () => void): void => {
        one.hasEnded = true;
        this.#remove(one);
        unsubscribe?.();
        then();
      };
      const one: Waiting = {
        call,
        line: new Set(purses),
        leave: (answer) => ended(() => resolve(answer)),
        fail: (error) => ended(() => reject(error)),
        hasEnded: false,
      };
      this.#waiting.push(one);
      unsubscribe = until(() => {
        if (one.hasEnded) return;
        ended(() => resolve(undefined));
        // Those behind it may fit.
        this.serve();
      });
      this.serve();
    });
  }

  /** Something has changed: asks for all again that nobody stands in line before. */
  serve(): void {
    if (this.#isServing) this.#isStale = true;
    else if (this.#waiting.length > 0) void this.#serve();
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    do {
      this.#isStale = false;
      const ahead = new Set<string>();
      // All calls need the whole budget.
      for (let at = 0; at < this.#waiting.length && !ahead.has(WHOLE); ) {
        const one = this.#waiting[at] as Waiting;
        if (!(await this.#isLeft(one, ahead))) continue;
        for (const name of one.line) ahead.add(name);
        at++;
      }
    } while (this.#isStale);
    this.#isServing = false;
  }

  /** Asks for one call unless another one stands in line `ahead` of it. Whether it goes on waiting. */
  async #isLeft(one: Waiting, ahead: ReadonlySet<string>): Promise<boolean> {
    const { ask, pursesOf, letGo } = this.#parts;
    let waitsFor: readonly string[] = pursesOf(one.call).filter((name) => ahead.has(name));
    if (waitsFor.length === 0) {
      try {
        const answer = await ask(one.call);
        if (one.hasEnded) {
          if (answer.finding === undefined) letGo(answer.id);
          return false;
        }
        if (answer.finding === undefined || answer.waitsFor.length === 0) {
          one.leave(answer);
          return false;
        }
        waitsFor = answer.waitsFor;
      } catch (error) {
        if (!one.hasEnded) one.fail(error);
        return false;
      }
    }
    one.line.delete(WHOLE);
    for (const name of waitsFor) one.line.add(name);
    this.#serveAfterExpiry();
    return true;
  }

  /** A call that never ends must not be waited for, even if nobody asks again. */
  #serveAfterExpiry(): void {
    const { underWay, now, storeLagMs } = this.#parts;
    const { expiresAt } = underWay;
    if (expiresAt === undefined || this.#waiting.length === 0) return;
    const ring = (): void => {
      if (underWay.expire(now())) this.serve();
      else this.#serveAfterExpiry();
    };
    this.#expiry.set(ring, expiresAt - now() + storeLagMs);
  }

  #remove(one: Waiting): void {
    const at = this.#waiting.indexOf(one);
    if (at >= 0) this.#waiting.splice(at, 1);
    if (this.#waiting.length === 0) this.#expiry.clear();
  }
}
