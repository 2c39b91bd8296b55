import type { ChatItem } from '../messages/chat-item.ts';

/**
 * Does some work, yields what it emits as it comes, and returns what it gives.
 *
 * `abort` is called when whoever follows leaves before the work is done.
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
