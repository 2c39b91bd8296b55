import { describe, expect, it } from 'vitest';
import { HistoryMeter } from '../../src/budget/estimates.ts';
import { InvalidSnapshotError, type Signal } from '../../src/index.ts';
import { message } from '../support/signals.ts';

function said(depth: number): Signal {
  return { ...message('a', ''), depth };
}

function started(depth: number): Signal {
  const chat = { chatId: 'c', path: ['root', 'c'], trigger: 'reply:a' };
  return { kind: 'nested-start', at: 0, agent: 'a', depth, ...chat };
}

describe('HistoryMeter', () => {
  it('[CTX5] keeps the history of the outer conversation while a nested chat begins with its task', () => {
    const meter = new HistoryMeter();
    meter.observe(message('a', ''), 100);
    meter.observe(started(1), 5);
    meter.observe(said(1), 20);
    expect([meter.tokens(0), meter.tokens(1)]).toEqual([100, 25]);
    meter.observe(started(1), 7);
    expect([meter.tokens(0), meter.tokens(1)]).toEqual([100, 7]);
  });

  it('[CTX5] forgets what was said in the chats below one that begins anew', () => {
    const meter = new HistoryMeter();
    meter.observe(said(2), 50);
    meter.observe(started(1), 0);
    expect(meter.tokens(2)).toBe(0);
  });

  it('[CTX5] takes a depth beyond 64 for 64', () => {
    const meter = new HistoryMeter();
    meter.observe(said(64), 1);
    meter.observe(said(4_000_000_000), 2);
    expect([meter.tokens(63), meter.tokens(64), meter.tokens(65)]).toEqual([0, 3, 3]);
  });

  it('[SNP2] goes on with a snapshot, also of depths at which nothing was said', () => {
    const first = new HistoryMeter();
    first.observe(said(2), 9);
    const snapshot = JSON.parse(JSON.stringify(first.snapshot()));
    expect(snapshot).toEqual([0, 0, 9]);
    const second = new HistoryMeter();
    second.restore(snapshot);
    second.observe(said(2), 1);
    expect([second.tokens(0), second.tokens(2)]).toEqual([0, 10]);
    expect(snapshot).toEqual([0, 0, 9]);
  });

  it.each([{}, 'many', [1, null], [1, '2']])('[SNP5] refuses %j', (snapshot) => {
    const meter = new HistoryMeter();
    meter.observe(said(0), 9);
    expect(() => meter.restore(snapshot)).toThrow(
      expect.objectContaining({
        name: InvalidSnapshotError.name,
        field: 'history',
        message: expect.stringContaining('expected an array of numbers'),
      }),
    );
    expect(meter.tokens(0)).toBe(9);
  });
});
