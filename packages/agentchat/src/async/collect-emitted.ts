import type { ChatItem } from '../messages/chat-item.ts';

/**
 * Yields the items that work emits as they arrive, and returns the result of the work.
 *
 * Calls `abort` when the reader leaves before the work ends.
 */
export async function* collectEmitted<T>(
  work: (emit: (item: ChatItem) => void) => Promise<T>,
  abort: () => void,
): AsyncGenerator<ChatItem, T> {
  const emitted: ChatItem[] = [];
  let isSettled = false;
  let wake = (): void => {};
  const done = work((item) => {
    emitted.push(item);
    wake();
  });
  const settled = done.then(
    () => undefined,
    () => undefined,
  );
  settled.then(() => {
    isSettled = true;
    wake();
  });
  try {
    for (;;) {
      yield* emitted.splice(0);
      if (emitted.length > 0) continue;
      if (isSettled) return await done;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    if (!isSettled) abort();
    await settled;
  }
}
