import type { Timers } from '../../common/deadline.ts';
import { ExpiryTimer } from '../../common/expiry-timer.ts';
import { andThen, type MaybePromise } from '../../common/maybe-promise.ts';
import { type OnCancel, Waiter } from '../../common/waiter.ts';
import { WHOLE } from '../purses.ts';
import type { BudgetAnswer, RequestedCall, Reservation, Reservations } from './reservations.ts';

/** The collaborators of {@link WaitingCalls}. */
interface WaitingCallsParts {
  readonly ask: (call: RequestedCall) => MaybePromise<BudgetAnswer>;
  readonly pursesOf: (call: RequestedCall) => readonly string[];
  /** Releases a reservation that was granted after the wait had ended. */
  readonly discard: (reservation: Reservation) => void;
  readonly reservations: Reservations;
  readonly now: () => number;
  readonly timers: Timers | undefined;
  /** How much later a reservation may expire in the store than here. */
  readonly storeLagMs: number;
}

interface Waiting {
  readonly call: RequestedCall;
  /** The purses in which later calls wait for this one. */
  readonly line: Set<string>;
  readonly waiter: Waiter<BudgetAnswer>;
}

/**
 * Model calls that wait for other calls of this breaker: first come, first served, in each purse.
 *
 * A call queues in every purse that refused it and keeps its place there, so that calls with fewer purses cannot overtake it
 * indefinitely. It queues in the whole budget, which all calls need, only while no smaller purse is full for it. Calls with
 * none of these purses do not wait for it.
 */
export class WaitingCalls {
  readonly #parts: WaitingCallsParts;
  readonly #expiry: ExpiryTimer;
  /** The oldest first. */
  readonly #waiting: Waiting[] = [];
  #isServing = false;
  #isStale = false;

  constructor(parts: WaitingCallsParts) {
    this.#parts = parts;
    this.#expiry = new ExpiryTimer(parts.timers);
  }

  /** The purses of a call in which others are queued. */
  linesFor(call: RequestedCall): readonly string[] {
    if (this.#waiting.length === 0) return [];
    const isInLine = (name: string): boolean => this.#waiting.some(({ line }) => line.has(name));
    return this.#parts.pursesOf(call).filter(isInLine);
  }

  /** Queues a call in these purses until there is an answer, or `undefined` if `until` ends the wait. */
  wait(
    call: RequestedCall,
    purses: readonly string[],
    until: OnCancel,
  ): Promise<BudgetAnswer | undefined> {
    const waiter = new Waiter<BudgetAnswer>(() => this.#remove(one));
    const one: Waiting = { call, line: new Set(purses), waiter };
    this.#waiting.push(one);
    // Once one is gone, later calls may fit.
    const answer = waiter.wait(until, () => this.serve());
    this.serve();
    return answer;
  }

  /** Queues a call if its answer says that it may fit after others. */
  waitAfter(
    asked: MaybePromise<BudgetAnswer>,
    call: RequestedCall,
    until: OnCancel,
  ): MaybePromise<BudgetAnswer | undefined> {
    return andThen(
      asked,
      (answer) => {
        if (answer.finding === undefined) return answer;
        if (answer.waitsFor.length > 0) return this.wait(call, answer.waitsFor, until);
        // Others may have begun to wait for this call while the store was asked.
        this.serve();
        return answer;
      },
      (error) => {
        this.serve();
        throw error;
      },
    );
  }

  /** Asks again for all calls that are first in their queues. */
  serve(): void {
    if (this.#isServing) this.#isStale = true;
    else if (this.#waiting.length > 0) this.#serve().catch((error: unknown) => this.#fail(error));
  }

  async #serve(): Promise<void> {
    this.#isServing = true;
    do {
      this.#isStale = false;
      const ahead = new Set<string>();
      // All calls need the whole budget.
      for (let at = 0; at < this.#waiting.length && !ahead.has(WHOLE); ) {
        const one = this.#waiting[at] as Waiting;
        if (!(await this.#askFor(one, ahead))) continue;
        for (const name of one.line) ahead.add(name);
        at++;
      }
    } while (this.#isStale);
    this.#isServing = false;
  }

  /** What keeps calls from being served would keep all of them waiting for ever. */
  #fail(error: unknown): void {
    this.#isServing = false;
    for (const { waiter } of [...this.#waiting]) waiter.fail(error);
  }

  /** Asks for one call unless another one is queued ahead of it. Returns whether it keeps waiting. */
  async #askFor({ call, line, waiter }: Waiting, ahead: ReadonlySet<string>): Promise<boolean> {
    const { ask, pursesOf, discard } = this.#parts;
    let waitsFor: readonly string[] = pursesOf(call).filter((name) => ahead.has(name));
    if (waitsFor.length === 0) {
      try {
        const answer = await ask(call);
        if (waiter.hasEnded) {
          if (answer.reservation !== undefined) discard(answer.reservation);
          return false;
        }
        if (answer.finding === undefined || answer.waitsFor.length === 0) {
          waiter.answer(answer);
          return false;
        }
        waitsFor = answer.waitsFor;
      } catch (error) {
        waiter.fail(error);
        return false;
      }
    }
    line.delete(WHOLE);
    for (const name of waitsFor) line.add(name);
    this.#serveAfterExpiry();
    return true;
  }

  /** Serves again when the oldest reservation expires: no call waits for calls that never end. */
  #serveAfterExpiry(): void {
    const { reservations, now, storeLagMs } = this.#parts;
    const { expiresAt } = reservations;
    if (expiresAt === undefined || this.#waiting.length === 0) return;
    const ring = (): void => {
      if (reservations.expire(now())) this.serve();
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
