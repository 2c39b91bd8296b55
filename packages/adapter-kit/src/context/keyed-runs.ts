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
  readonly id?: string;
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
    const entry = this.#ofCall.get(callId);
    if (entry?.id !== undefined) this.#find(entry.id);
    return entry?.scope;
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

  /** The answer to a step was lost. A run that has asked for no call of a tool does not go on. */
  lost(key: object | string): void {
    if (this.#find(key)?.callIds.size === 0) this.end(key);
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
    if (typeof key !== 'string') return this.#ofObject.get(key);
    const entry = this.#ofId.get(key);
    // One that is used is not the next to go.
    if (entry !== undefined) this.#ofId.set(key, entry);
    return entry;
  }

  #begin(key: object | string, agent: string): Entry<L> {
    const isApart = this.#context.conversationName === undefined;
    const run = this.#context.openRun({ isApart, isTimedByStep: true });
    const scope = { run, depth: 0, path: [agent], agent, local: this.#local() };
    const callIds = new Set<string>();
    if (typeof key === 'string') {
      const entry = { run, scope, callIds, id: key };
      const gone = this.#ofId.set(key, entry);
      if (gone !== undefined) this.#close(gone[1]);
      return entry;
    }
    const entry = { run, scope, callIds };
    this.#ofObject.set(key, entry);
    this.#gone.register(key, entry, entry);
    return entry;
  }

  #close(entry: Entry<L>): void {
    this.#context.closeRun(entry.run);
    for (const callId of entry.callIds) {
      if (this.#ofCall.get(callId) === entry) this.#ofCall.delete(callId);
    }
  }
}
