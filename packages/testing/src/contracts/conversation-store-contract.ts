import type { MaybePromise } from '@teamfuse/core/kit';
import type { ConversationStore } from '@teamfuse/stores/fleet';
import { type AsyncContractCheck, type Expect, expecting, sorted } from './contract-check.ts';

const ODD_IDS = [
  '',
  'a',
  'A',
  ' ',
  "'; DROP TABLE chats; --",
  '../..',
  '__proto__',
  'ü',
  '{a}',
  'a\nb',
];
const AT_ONCE = 20;

/**
 * The rules that every store of conversations keeps, as checks for any test runner.
 *
 * @param make makes a store with nothing in it.
 * @example
 * ```ts
 * for (const { check } of conversationStoreContract(() => new MemoryConversationStore())) await check();
 * ```
 */
export function conversationStoreContract(
  make: () => MaybePromise<ConversationStore>,
): readonly AsyncContractCheck[] {
  const rule = (
    id: string,
    title: string,
    check: (store: ConversationStore, expect: Expect) => Promise<void>,
  ): AsyncContractCheck => ({
    id,
    title,
    check: async () => {
      const expect = expecting(id);
      await check(await make(), (what, received, expected) =>
        expect(what, sorted(received), sorted(expected)),
      );
    },
  });
  return [
    rule('CVS1', 'gives the latest state as it was saved', async (store, expect) => {
      expect('nothing saved', await store.load('a'), undefined);
      const first = await store.save('a', { text: 'ü\n', list: [1, null, true] }, undefined);
      expect('the first', await store.load('a'), {
        version: first,
        snapshot: { text: 'ü\n', list: [1, null, true] },
      });
      const second = await store.save('a', 'later', first);
      expect('the second', await store.load('a'), { version: second, snapshot: 'later' });
      expect('two versions', first === second, false);
    }),
    rule('CVS2', 'saves nothing on top of a state that was not loaded', async (store, expect) => {
      const first = await store.save('a', 1, undefined);
      const second = await store.save('a', 2, first);
      expect('on top of the first', await store.save('a', 3, first), undefined);
      expect('on top of nothing', await store.save('a', 3, undefined), undefined);
      expect('where nothing is', await store.save('b', 3, first), undefined);
      expect('what is there', await store.load('a'), { version: second, snapshot: 2 });
      expect('what is not', await store.load('b'), undefined);
    }),
    rule('CVS3', 'saves one of several states that are saved at once', async (store, expect) => {
      const first = await store.save('a', 0, undefined);
      const saves = Array.from({ length: AT_ONCE }, async (_, n) => store.save('a', n + 1, first));
      const saved = (await Promise.all(saves)).flatMap((version, n) =>
        version === undefined ? [] : [{ version, snapshot: n + 1 }],
      );
      expect('how many were saved', saved.length, 1);
      expect('what is there', await store.load('a'), saved[0]);
    }),
    rule('CVS4', 'tells conversations apart, whatever their ids are', async (store, expect) => {
      for (const [at, id] of ODD_IDS.entries()) await store.save(id, at, undefined);
      for (const [at, id] of ODD_IDS.entries()) {
        expect(JSON.stringify(id), (await store.load(id))?.snapshot, at);
      }
    }),
  ];
}
