import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { NestedTexts } from '../../src/analysis/nested-texts.ts';
import { TextReader } from '../../src/analysis/text/text-reader.ts';

function readers(...texts: readonly string[]): TextReader[] {
  return texts.map((text) => {
    const reader = new TextReader();
    reader.read(text);
    return reader;
  });
}

/** Whether the last of these tasks is another one than those before. */
function isOtherTask(...tasks: readonly string[]): boolean | undefined {
  const nested = new NestedTexts(0.6);
  return readers(...tasks)
    .map((reader) => nested.isOtherTask('lead', reader))
    .at(-1);
}

/** Whether the last of these results is another one than those before. */
function isOtherResult(...results: readonly string[]): boolean | undefined {
  const nested = new NestedTexts(0.6);
  return readers(...results)
    .map((reader) => nested.isOtherResult('lead', reader, 0.2))
    .at(-1);
}

const TASK = 'Please check the plan of the harbour for gaps.';

describe('NestedTexts', () => {
  it('[NST5] takes a task for the same in other words', () => {
    expect(isOtherTask(TASK, 'For gaps in it, please have the plan of the harbour checked.')).toBe(
      false,
    );
  });

  it.each([
    ['another item in the same frame', 'Please check the plan of the airport for gaps.'],
    ['none of the old words', 'Screen suppliers abroad.'],
    [
      'many new words beside the old',
      `${TASK} Compare costs, deadlines, permits, staffing, insurance, dredging, lighting, parking, fencing, drainage, catering, signage, tariffs, moorings, cranes, towing, pilotage and security.`,
    ],
  ])('[NST5] takes a task for another one with %s', (_with, task) => {
    expect(isOtherTask(TASK, task)).toBe(true);
  });

  it('[NST5] takes a task for another one with another number, and not where the first is told again', () => {
    expect(isOtherTask('Check page 7 of it.', 'Check page 12 of it.')).toBe(true);
    expect(isOtherTask('Check page 7 of it.', 'Check page 7 of it.')).toBe(false);
  });

  it('[NST5] tells a chat without a task from others by its name', () => {
    const analyzer = new Analyzer();
    const start = (chatId: string): boolean | undefined =>
      analyzer.observe({
        kind: 'nested-start',
        at: 0,
        agent: 'lead',
        chatId,
        depth: 1,
        path: ['lead', chatId],
        trigger: 'tool:research',
      }).isNestedNews;
    expect(start('tides')).toBe(true);
    expect(start('tides')).toBe(false);
    expect(start('estuaries')).toBe(true);
  });

  it('[NST5] takes a result for another one whose numbers do more than count up', () => {
    const found = (count: number): string => `Found ${count} gaps in the plan of the harbour.`;
    expect(isOtherResult(found(12), found(7))).toBe(true);
    expect(isOtherResult(found(12), found(13))).toBe(false);
    expect(isOtherResult(found(12), found(12))).toBe(false);
  });

  it('[NST5] takes a result for another one with mostly new words', () => {
    const before = 'There is no backup in the plan.';
    expect(isOtherResult(before, 'The plan has no backup in it.')).toBe(false);
    expect(isOtherResult(before, 'Smith holds that tides are predictable.')).toBe(true);
  });
});
