import type { ChatItem } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { collectEmitted } from '../../src/async/collect-emitted.ts';
import { text } from '../said.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('collectEmitted', () => {
  it('[CHO6] yields emitted items as they arrive, and returns the result of the work', async () => {
    const run = collectEmitted(
      async (emit) => {
        emit(text('1'));
        await tick();
        emit(text('2'));
        emit(text('3'));
        return 'done';
      },
      () => {},
    );
    const items: string[] = [];
    for (;;) {
      const step = await run.next();
      if (step.done === true) {
        expect(step.value).toBe('done');
        break;
      }
      items.push(step.value.toText());
    }
    expect(items).toEqual(['1', '2', '3']);
  });

  it('[CHO6] throws an error after the items emitted before it', async () => {
    const items: ChatItem[] = [];
    const run = async (): Promise<void> => {
      const work = async (emit: (item: ChatItem) => void): Promise<void> => {
        emit(text('1'));
        throw new Error('no choice');
      };
      for await (const item of collectEmitted(work, () => {})) items.push(item);
    };
    await expect(run()).rejects.toThrow('no choice');
    expect(items).toHaveLength(1);
  });

  it('[DEV4] aborts work when the reader leaves, and waits for its end', async () => {
    const cancellation = new AbortController();
    let isOver = false;
    const run = collectEmitted(
      async (emit) => {
        emit(text('1'));
        while (!cancellation.signal.aborted) await tick();
        await tick();
        isOver = true;
        throw new Error('ignored');
      },
      () => cancellation.abort(),
    );
    await run.next();
    await run.return(undefined as never);
    expect(isOver).toBe(true);
  });
});
