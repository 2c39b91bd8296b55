import { AsyncLocalStorage } from 'node:async_hooks';
import type { ChatItem } from '@teamfuse/agentchat';
import type { Breaker } from '@teamfuse/core';
import { BoundedMap } from './bounded-map.ts';
import type { Scope } from './guard/scope.ts';
import { ItemReader } from './signals/item-reader.ts';

/** More than are on their way between a stream and a condition at any time. */
const MAX_KNOWN_ITEMS = 8192;

const MAX_FORETOLD = 64;

const ledgers: WeakMap<Breaker, Ledger> = new WeakMap();

/** What a breaker has been told by all that watch for it, so that each thing is told once. */
export class Ledger {
  /** Joins what belongs together, whoever saw which part. */
  readonly reader: ItemReader = new ItemReader();
  /** Where in a guarded run the code that asks is. */
  readonly scopes: AsyncLocalStorage<Scope> = new AsyncLocalStorage();
  /** Runs under a guard that have not ended. */
  guardedRuns = 0;
  /** Teams and agents that are tapped. */
  readonly guarded: WeakSet<object> = new WeakSet();
  readonly #known: BoundedMap<string, true> = new BoundedMap(MAX_KNOWN_ITEMS);
  #foretold: readonly string[] = [];

  /** The one ledger of a breaker. */
  static of(breaker: Breaker): Ledger {
    let ledger = ledgers.get(breaker);
    if (ledger === undefined) {
      ledger = new Ledger();
      ledgers.set(breaker, ledger);
    }
    return ledger;
  }

  /** Enters items, and gives back those that were not entered before. */
  enter(items: readonly ChatItem[]): readonly ChatItem[] {
    return items.filter((item) => {
      if (isChunk(item) || this.#known.has(item.id)) return false;
      this.#known.set(item.id, true);
      return !this.#wasForetold(item);
    });
  }

  /** Whether all these items have been entered. */
  knows(items: readonly ChatItem[]): boolean {
    return items.every((item) => isChunk(item) || this.#known.has(item.id));
  }

  /** Announces what has been told already and is still to come: messages, and the text of one by `user`. */
  foretell(task: string | readonly ChatItem[]): void {
    const marks = typeof task === 'string' ? [task] : task.map(({ id }) => id);
    this.#foretold = [...this.#foretold, ...marks].slice(-MAX_FORETOLD);
  }

  #wasForetold(item: ChatItem): boolean {
    const at = this.#foretold.findIndex(
      (told) => told === item.id || (item.source === 'user' && told === item.toText()),
    );
    if (at < 0) return false;
    this.#foretold = this.#foretold.toSpliced(at, 1);
    return true;
  }
}

/** Pieces of a message say nothing of their own, and would push out everything else. */
function isChunk({ type }: ChatItem): boolean {
  return type === 'ModelClientStreamingChunkEvent';
}
