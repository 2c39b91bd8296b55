import { setTimeout as pause } from 'node:timers/promises';
import type { ServerBudgetStore } from '../../packages/stores/src/server/index.ts';
import { SeededRandom } from '../../packages/testing/src/seeded-random.ts';

/** What each call reserves, in tokens. */
export const CALL = 7;

/**
 * Makes calls on a budget, some of which fail or are never settled, and prints a line for each step: `asks`, then `lost` or
 * `refused`, or `settles <tokens>` before what a call took is handed over, and `settled <tokens>` once the server has that of all.
 */
export async function work(
  store: ServerBudgetStore,
  limit: number,
  calls: number,
  seed: number,
): Promise<void> {
  const random = new SeededRandom(seed);
  const print = (line: string): unknown => process.stdout.write(`${line}\n`);
  let settled = 0;
  // What only this process knows is lost if it is killed.
  const tell = (): void => {
    if (store.unsettled > 0) return;
    print(`settled ${settled}`);
    settled = 0;
  };
  for (let call = 0; call < calls; call++) {
    print('asks');
    const id = await reserved(store, limit, `${process.pid}:${call}`, () => print('lost'));
    if (id === undefined) {
      print('refused');
      continue;
    }
    // One in fifty is never heard of again.
    if (random.oneIn(50)) continue;
    const tokens = random.oneIn(10) ? 0 : random.below(CALL + 1);
    print(`settles ${tokens}`);
    await store.settle(id, { nanoUsd: 0, tokens });
    settled += tokens;
    tell();
  }
  for (let isSent = false; !isSent; ) {
    isSent = await store.flush().then(
      () => true,
      () => false,
    );
    if (!isSent) await pause(20);
  }
  tell();
  store.close();
}

/** The id under which a call is reserved, or undefined when it is refused. While the server is lost it asks again and again. */
async function reserved(
  store: ServerBudgetStore,
  limit: number,
  call: string,
  onLost: () => void,
): Promise<string | undefined> {
  for (let attempt = 0; ; attempt++) {
    const id = `${call}:${attempt}`;
    try {
      const amount = { nanoUsd: 0, tokens: CALL };
      return (await store.reserve(id, amount, { tokens: limit })).isGranted ? id : undefined;
    } catch {
      onLost();
      await pause(20);
    }
  }
}
