import type { Signal } from '@teamfuse/core';
import { describe, expect, it } from 'vitest';
import { reactionsTable } from '../src/commands/reactions-table.ts';
import { sharesOf, worthOf } from '../src/scores/worth.ts';

/** A model call of ten tokens, and what came of it. */
function said(at: number, text: string): readonly Signal[] {
  const agent = 'writer';
  const usage = { inputTokens: 8, outputTokens: 2, costUsd: null };
  return [
    { kind: 'usage', at, agent, model: 'm', ...usage },
    { kind: 'message', at, agent, text },
  ];
}

const WORK = [said(0, 'A draft.'), said(1, 'A second draft.')].flat();
const LOOP = Array.from({ length: 20 }, (_, i) => said(i + 2, 'The draft is done.')).flat();
const loop = { isLoop: true, signals: [...WORK, ...LOOP], options: {}, workSignals: WORK.length };
const healthy = { isLoop: false, signals: WORK, options: {}, workSignals: WORK.length };

describe('what a stop is worth', () => {
  it('[EVAL20] are the tokens of a loop after it', () => {
    const stopped = { isLoop: true, toldAt: undefined, stoppedAt: 12 };
    expect(worthOf(loop, stopped)).toEqual({ tokens: 220, savedTokens: 160, work: 4, keptWork: 4 });
    expect(worthOf(loop, { ...stopped, stoppedAt: undefined }).savedTokens).toBe(0);
  });

  it('[EVAL20] are estimated where none are reported', () => {
    const signals = loop.signals.filter(({ kind }) => kind === 'message');
    const stopped = { isLoop: true, toldAt: undefined, stoppedAt: signals.length / 2 };
    const { tokens, savedTokens } = worthOf({ ...loop, signals }, stopped);
    // Each call reads what was said before it, so that the second half costs more.
    expect(savedTokens).toBeGreaterThan(tokens / 2);
    expect(savedTokens).toBeLessThan(tokens);
  });

  it('[EVAL20] is taken off by what it leaves undone', () => {
    const stoppedAt = 1;
    expect(worthOf(healthy, { isLoop: false, toldAt: undefined, stoppedAt })).toMatchObject({
      work: 4,
      keptWork: 1,
    });
    expect(worthOf(loop, { isLoop: true, toldAt: undefined, stoppedAt }).keptWork).toBe(1);
  });

  it('[EVAL20] adds up by loop, and by token', () => {
    const none = { work: 0, keptWork: 0 };
    const all = [
      { ...none, tokens: 100, savedTokens: 50 },
      { ...none, tokens: 900, savedTokens: 0 },
      { tokens: 0, savedTokens: 0, work: 10, keptWork: 9 },
    ];
    expect(sharesOf(all)).toEqual({ ofEachLoop: 0.25, ofAllLoops: 0.05, keptWork: 0.9 });
    expect(sharesOf([])).toEqual({ ofEachLoop: 0, ofAllLoops: 0, keptWork: 0 });
  });

  it('[EVAL20] stands in the table where readers have said what was work, and only there', () => {
    const read = reactionsTable([{ name: 'read', played: [loop, healthy] }]);
    expect(read).toMatch(
      /\| \d\d\.\d %, \d\d\.\d % \| \d\d\.\d %, \d\d\.\d % \| 100\.0 %, 100\.0 % \|$/,
    );
    const { workSignals: _, ...unread } = loop;
    expect(reactionsTable([{ name: 'unread', played: [unread] }])).not.toContain('%');
  });
});
