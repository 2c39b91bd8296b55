import { expect, it } from 'vitest';
import { concurrently } from '../../src/async/concurrently.ts';

async function* script<T>(items: readonly T[], result: string, wait?: Promise<unknown>) {
  for (const item of items) yield item;
  await wait;
  return result;
}

async function drain<T, R>(run: AsyncGenerator<T, R>): Promise<{ items: T[]; result: R }> {
  const items: T[] = [];
  for (;;) {
    const step = await run.next();
    if (step.done === true) return { items, result: step.value };
    items.push(step.value);
  }
}

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

it('[TOOL10] returns results in the order of the tasks, whichever ends first', async () => {
  const { opened, open } = gate();
  const slow = script(['s'], 'slow', opened);
  const fast = script(['f'], 'fast');
  const run = drain(concurrently([slow, fast]));
  open();
  expect((await run).result).toEqual(['slow', 'fast']);
});

it('[TOOL10] yields what comes from a later task while an earlier one waits', async () => {
  const { opened, open } = gate();
  const run = concurrently([script<string>([], 'a', opened), script(['b1', 'b2'], 'b')]);
  expect((await run.next()).value).toBe('b1');
  expect((await run.next()).value).toBe('b2');
  open();
  expect((await run.next()).value).toEqual(['a', 'b']);
});

it('[TOOL11] ends with the first failure and closes the others', async () => {
  let closed = false;
  async function* other() {
    try {
      for (;;) yield 'x';
    } finally {
      closed = true;
    }
  }
  async function* failing(): AsyncGenerator<string, never> {
    yield 'about to fail';
    throw new Error('broken');
  }
  await expect(drain(concurrently<string, unknown>([failing(), other()]))).rejects.toThrow(
    'broken',
  );
  await Promise.resolve();
  expect(closed).toBe(true);
});

it('[TOOL12] gives an empty list for no tasks', async () => {
  expect(await drain(concurrently([]))).toEqual({ items: [], result: [] });
});
