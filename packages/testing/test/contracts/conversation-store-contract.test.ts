import { type ConversationStore, MemoryConversationStore } from '@teamfuse/stores/fleet';
import { describe, expect, it } from 'vitest';
import { conversationStoreContract } from '../../src/index.ts';

describe('the contract of stores of conversations', () => {
  for (const { id, title, check } of conversationStoreContract(
    () => new MemoryConversationStore(),
  )) {
    it(`[${id}] ${title}`, check);
  }

  /** A store with one rule broken. */
  const broken: Readonly<Record<string, (store: MemoryConversationStore) => ConversationStore>> = {
    CVS1: (store) => ({
      load: (id) => store.load(id),
      save: (id, _, version) => store.save(id, null, version),
    }),
    CVS2: (store) => ({
      load: (id) => store.load(id),
      save: (id, snapshot) => store.save(id, snapshot, store.load(id)?.version),
    }),
    CVS3: (store) => ({
      load: (id) => store.load(id),
      // Looks, and writes later.
      save: async (id, snapshot, version) => {
        if (store.load(id)?.version !== version) return undefined;
        await Promise.resolve();
        return store.save(id, snapshot, store.load(id)?.version);
      },
    }),
    CVS4: (store) => ({
      load: (id) => store.load(id.toLowerCase()),
      save: (id, snapshot, version) => store.save(id.toLowerCase(), snapshot, version),
    }),
  };

  it.each(Object.entries(broken))('[%s] is broken by a store that is wrong', async (id, wrong) => {
    const checks = conversationStoreContract(() => wrong(new MemoryConversationStore()));
    const failed: string[] = [];
    for (const one of checks) await Promise.resolve(one.check()).catch(() => failed.push(one.id));
    expect(failed).toContain(id);
  });
});
