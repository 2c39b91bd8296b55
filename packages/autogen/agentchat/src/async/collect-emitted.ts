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
  const settle = (): void => {
    isSettled = true;
    wake();
  };
  const settled = done.then(settle, settle);
  try {
    for (;;) {
      for (const item of emitted.splice(0)) yield item;
      if (emitted.length > 0) continue;
      if (isSettled) return done;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    if (!isSettled) {
      abort();
      await settled;
    }
  }
}
