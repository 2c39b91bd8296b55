import { BoundedMap } from '@teamfuse/core/kit';
import type { GuardContext } from './guard-context.ts';
import type { OutermostRun } from './run.ts';
import type { Scope } from './scope.ts';

/** As many runs with an id as may be under way: the guard may never be told of the end of one that failed. */
const MAX_RUNS = 1000;

interface Entry<L> {
  readonly run: OutermostRun;
  readonly scope: Scope<L>;
  readonly callIds: Set<string>;
  /** The id of the run, if it has one. */
  readonly id: string | undefined;
}

/**
 * Runs without a beginning and an end of their own: a framework gives all their steps the same object, or the same id. Each has a
 * conversation of its own.
 */
export class KeyedRuns<L> {
  readonly #context: GuardContext<L>;
  readonly #local: () => L;
  readonly #ofObject: WeakMap<object, Entry<L>> = new WeakMap();
  readonly #ofId: BoundedMap<string, Entry<L>> = new BoundedMap(MAX_RUNS);
  readonly #ofCall: Map<string, Entry<L>> = new Map();
  readonly #gone: FinalizationRegistry<Entry<L>> = new FinalizationRegistry((entry) =>
    this.#close(entry),
  );

  /** `local` makes the part of a run's place that belongs to the adapter. */
  constructor(context: GuardContext<L>, local: () => L) {
    this.#context = context;
    this.#local = local;
  }

  /** The place of a run, which begins with its first step. A run whose object is gone is over. */
  of(key: object | string, agent: string): Scope<L> {
    return (this.#find(key) ?? this.#begin(key, agent)).scope;
  }

  /** The place of the run that has asked for a call of a tool. */
  ofCall(callId: string): Scope<L> | undefined {
    return this.#ofCall.get(callId)?.scope;
  }

  /** The id of the run that has asked for a call of a tool. */
  idOfCall(callId: string): string | undefined {
    return this.#ofCall.get(callId)?.id;
  }

  /** A run has asked for these calls of tools. */
  asked(key: object | string, callIds: readonly string[]): void {
    const entry = this.#find(key);
    if (entry === undefined) return;
    for (const callId of callIds) {
      entry.callIds.add(callId);
      this.#ofCall.set(callId, entry);
    }
  }

  /** Ends a run. Idempotent. */
  end(key: object | string): void {
    const entry = this.#find(key);
    if (entry === undefined) return;
    if (typeof key === 'string') this.#ofId.delete(key);
    else {
      this.#ofObject.delete(key);
      this.#gone.unregister(entry);
    }
    this.#close(entry);
  }

  #find(key: object | string): Entry<L> | undefined {
    return typeof key === 'string' ? this.#ofId.get(key) : this.#ofObject.get(key);
  }

  #begin(key: object | string, agent: string): Entry<L> {
    const run = this.#context.openRun({ isApart: true, isEndTold: false });
    const scope = { run, depth: 0, path: [agent], agent, local: this.#local() };
    const id = typeof key === 'string' ? key : undefined;
    const entry = { run, scope, callIds: new Set<string>(), id };
    if (typeof key === 'string') {
      const gone = this.#ofId.set(key, entry);
      if (gone !== undefined) this.#close(gone[1]);
    } else {
      this.#ofObject.set(key, entry);
      this.#gone.register(key, entry, entry);
    }
    return entry;
  }

  #close(entry: Entry<L>): void {
    this.#context.closeRun(entry.run);
    for (const callId of entry.callIds) {
      if (this.#ofCall.get(callId) === entry) this.#ofCall.delete(callId);
    }
  }
}
