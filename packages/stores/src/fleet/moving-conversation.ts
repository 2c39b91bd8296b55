import { type Conversation, InvalidSnapshotError } from '@teamfuse/core';
import {
  type BreakerInternals,
  type JsonValue,
  type MaybePromise,
  orRejection,
} from '@teamfuse/core/kit';
import { MACHINE_TIMERS, SNAPSHOT_VERSION, within } from '@teamfuse/core/sharing';
import type { ConversationStore } from './conversation-store.ts';

/** A store that has not answered by then has failed. */
const ANSWER_MS = 10_000;

/** A conversation of this process whose state is kept in a store between its runs. */
export class MovingConversation {
  readonly #store: ConversationStore;
  readonly #conversation: Conversation;
  readonly #internals: BreakerInternals;
  #runs = 0;
  /** Settles once the state of other processes is here; `undefined` while nothing runs. */
  #entered: Promise<void> | undefined;
  #saved: Promise<void> = Promise.resolve();
  /** The version of the state that this process has. */
  #version: string | undefined;

  constructor(store: ConversationStore, conversation: Conversation, internals: BreakerInternals) {
    this.#store = store;
    this.#conversation = conversation;
    this.#internals = internals;
  }

  /** Begins a run with the latest state. */
  enter(): Promise<void> {
    this.#runs++;
    this.#entered ??= this.#saved.then(() => this.#load());
    return this.#entered;
  }

  /** Ends a run. The last one saves the state. */
  leave(): Promise<void> {
    if (--this.#runs > 0) return this.#saved;
    this.#entered = undefined;
    this.#saved = this.#save();
    return this.#saved;
  }

  #load(): Promise<void> {
    return this.#reported(async () => {
      const { id } = this.#conversation;
      const found = await this.#answer(() => this.#store.load(id));
      if (found?.version === this.#version) return;
      // A state that cannot be restored is replaced by that of this run, as is one that the store has forgotten.
      this.#version = found?.version;
      if (found !== undefined) {
        this.#internals.restore(this.#conversation, stateIn(found.snapshot));
      }
    });
  }

  #save(): Promise<void> {
    return this.#reported(async () => {
      const { id } = this.#conversation;
      const state = this.#conversation.depart() as unknown as JsonValue;
      const snapshot = { version: SNAPSHOT_VERSION, state };
      const version = await this.#answer(() => this.#store.save(id, snapshot, this.#version));
      if (version === undefined) {
        throw new Error(`another process has gone on with the conversation '${id}' meanwhile`);
      }
      this.#version = version;
    });
  }

  async #reported(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#internals.reportError(error, 'store');
    }
  }

  #answer<T>(ask: () => MaybePromise<T>): Promise<T> {
    const { timers = MACHINE_TIMERS } = this.#internals;
    return within(Promise.resolve(orRejection(ask)), ANSWER_MS, timers, () => {
      throw new Error(`the store of conversations has not answered within ${ANSWER_MS} ms`);
    });
  }
}

function stateIn(saved: JsonValue): JsonValue {
  const { version, state } = Object(saved);
  if (version === SNAPSHOT_VERSION) return state;
  throw new InvalidSnapshotError('version', `version ${SNAPSHOT_VERSION}`, version);
}
