import { BoundedMap, type JsonValue } from '@teamfuse/core/kit';
import type { ConversationStore, SavedConversation } from './conversation-store.ts';

/** Keeps the states of the latest 1,000 conversations in memory, for tests and breakers of one process. */
export class MemoryConversationStore implements ConversationStore {
  readonly #saved: BoundedMap<string, SavedConversation> = new BoundedMap(MAX_SAVED);

  load(id: string): SavedConversation | undefined {
    return this.#saved.get(id);
  }

  save(id: string, snapshot: JsonValue, version: string | undefined): string | undefined {
    if (this.#saved.get(id)?.version !== version) return undefined;
    const saved = { version: crypto.randomUUID(), snapshot };
    this.#saved.set(id, saved);
    return saved.version;
  }
}

const MAX_SAVED = 1_000;
