import { readOptions } from '@teamfuse/core/options';
import { conversationStoreContract, FakeClock } from '@teamfuse/testing';
import { describe, expect, it } from 'vitest';
import {
  type ConversationSave,
  type ConversationServer,
  SERVER_CONVERSATION_OPTIONS,
  type ServerConversationOptions,
  ServerConversationStore,
} from '../../src/server/index.ts';

/** Conversations in memory, in place of a server. */
class Books implements ConversationServer {
  readonly #saved: Map<string, { readonly version: string; readonly state: string }> = new Map();

  async load(id: string) {
    return this.#saved.get(id);
  }

  async save(id: string, { before, next, state }: ConversationSave): Promise<string> {
    const there = this.#saved.get(id)?.version ?? '';
    if (there !== before) return there;
    this.#saved.set(id, { version: next, state });
    return next;
  }
}

const { timers } = new FakeClock();
const options = readOptions<ServerConversationOptions, 'timers'>(
  '',
  { timers },
  SERVER_CONVERSATION_OPTIONS,
);

describe('conversations on a server', () => {
  const checks = conversationStoreContract(() => new ServerConversationStore(new Books(), options));
  for (const { id, title, check } of checks) it(`[${id}] ${title}`, check);

  it('[SVC4] count as saved where only the first answer was lost', async () => {
    const books = new Books();
    const save = books.save.bind(books);
    let asked = 0;
    books.save = async (...given) => {
      const answer = await save(...given);
      if (asked++ === 0) throw new Error('the connection broke');
      return answer;
    };
    const store = new ServerConversationStore(books, options);
    const version = await store.save('chat', 'kept', undefined);
    expect([asked, await store.load('chat')]).toEqual([2, { version, snapshot: 'kept' }]);
    store.close();
  });
});
