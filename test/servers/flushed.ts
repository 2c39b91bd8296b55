import { setImmediate as turn } from 'node:timers/promises';

/** Waits until a store has booked what its server did not confirm. */
export async function flushed(store: {
  readonly unsettled: number;
  flush(): Promise<void>;
}): Promise<void> {
  while (store.unsettled > 0) {
    await store.flush().catch(() => {});
    await turn();
  }
}

/** Waits until the server of a store answers again. */
export async function answering(store: { totals(): Promise<unknown> }): Promise<void> {
  while (
    !(await store.totals().then(
      () => true,
      () => false,
    ))
  )
    await turn();
}
