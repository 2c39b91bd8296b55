import type { ChatItem } from '@teamfuse/agentchat';
import type { Breaker, Finding, Trip } from '@teamfuse/core';
import type { Ledger } from '../ledger.ts';
import type { Observer } from '../observer.ts';
import type { Tapped } from '../signals/item-reader.ts';
import { type Origin, originOf } from '../signals/origin.ts';
import { carefully } from '../signals/usage-signal.ts';
import type { Drill } from './drill.ts';
import { Gatekeeper } from './gatekeeper.ts';
import type { CheckedOptions } from './guard-options.ts';
import { inScope } from './in-scope.ts';
import { Nudges } from './nudges.ts';
import type { Run, Scope } from './scope.ts';

/** What the taps of one guard share: the breaker, the scopes, and how to ask and to tell. */
export class Watch {
  readonly options: CheckedOptions;
  /** Asks the breaker before a step is taken. */
  readonly gatekeeper: Gatekeeper = new Gatekeeper(this);
  readonly #nudges: Nudges;
  readonly #observer: Observer;
  readonly #runs: Set<Run> = new Set();
  /** Whether the guard is installed; a tap that is still on somebody's way lets everything pass otherwise. */
  isActive = true;

  constructor(observer: Observer, options: CheckedOptions) {
    this.#observer = observer;
    this.options = carefully(options, (error) => observer.report('observe', error));
    this.#nudges = new Nudges(options.nudge);
  }

  get ledger(): Ledger {
    return this.#observer.ledger;
  }

  get observer(): Observer {
    return this.drill?.observer ?? this.#observer;
  }

  /** What stands in for breaker and agents, during a self-test. */
  get drill(): Drill | undefined {
    return this.scope?.run.drill;
  }

  get breaker(): Breaker {
    return this.observer.breaker;
  }

  /** Where in a run the caller is; `undefined` outside of all. */
  get scope(): Scope | undefined {
    return this.ledger.scopes.getStore();
  }

  /** Does something as a part of a scope. */
  within<T>(scope: Scope | undefined, work: () => T): T {
    return scope === undefined ? work() : this.ledger.scopes.run(scope, work);
  }

  /** Passes a stream on as a part of a scope. */
  stream<T, R>(scope: Scope | undefined, open: () => AsyncIterable<T, R>): AsyncGenerator<T, R> {
    return inScope((work) => this.within(scope, work), open);
  }

  /** What a signal by `agent` says of time and place. */
  originOf(agent: string): Origin {
    return originOf(agent, this.breaker.now(), this.scope?.depth ?? 0);
  }

  /** Tells what items say, as far as it has not been told. */
  items(items: readonly ChatItem[], tapped?: Tapped): void {
    if (!this.isActive) return;
    const depth = this.scope?.depth ?? 0;
    const { models, prices } = this.options;
    this.observer.items(items, {
      depth,
      ...(models !== undefined && { models }),
      ...(prices !== undefined && { prices }),
      ...(tapped && { tapped }),
    });
  }

  /** A run begins; the first on a breaker starts the declared limits afresh. */
  runBegins(run: Run): void {
    if (this.ledger.guardedRuns === 0) {
      this.breaker.beginRun();
      this.#nudges.clear();
    }
    this.ledger.guardedRuns += 1;
    this.#runs.add(run);
  }

  /** A run is over. Harmless when said twice. */
  runEnds(run: Run): void {
    if (this.#runs.delete(run)) this.ledger.guardedRuns -= 1;
  }

  /** The team is to be told of a finding. */
  warn(finding: Finding): void {
    try {
      this.#nudges.add(finding);
    } catch (error) {
      this.#observer.report('warn', error);
    }
  }

  /** What the team is to be told now, once. */
  takeNudge(): string | undefined {
    return this.drill === undefined ? this.#nudges.take() : undefined;
  }

  /** The circuit has opened: all runs under way are over. */
  endRuns(trip: Trip): void {
    for (const run of this.#runs) run.trip ??= trip;
  }
}
