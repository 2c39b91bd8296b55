import { getEventListeners } from 'node:events';
import { CancelledError } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { untilAborted } from '../../src/async/until-aborted.ts';

const forever = (): Promise<never> => new Promise(() => {});

describe('untilAborted', () => {
  it('[USER5] returns the result of work that ends before the signal is aborted', async () => {
    const { signal } = new AbortController();
    expect(await untilAborted(signal, async () => 'done')).toBe('done');
  });

  it('[USER5] stops waiting for work that ignores the signal', async () => {
    const cancellation = new AbortController();
    const waiting = untilAborted(cancellation.signal, forever);
    cancellation.abort('enough');
    await expect(waiting).rejects.toThrow(
      expect.objectContaining({ name: 'CancelledError', cause: 'enough' }),
    );
  });

  it('[USER5] does not start work when the signal is aborted already', async () => {
    let isStarted = false;
    const work = async (): Promise<void> => {
      isStarted = true;
    };
    await expect(untilAborted(AbortSignal.abort(), work)).rejects.toThrow(CancelledError);
    expect(isStarted).toBe(false);
  });

  it('[USER6] leaves no listener on a signal that outlives the work', async () => {
    const { signal } = new AbortController();
    await untilAborted(signal, async () => 'done');
    await expect(untilAborted(signal, () => Promise.reject(new Error('failed')))).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
