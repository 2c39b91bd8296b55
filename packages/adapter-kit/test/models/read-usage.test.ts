import { describe, expect, it } from 'vitest';
import { modelOf, readUsage } from '../../src/index.ts';

describe('readUsage', () => {
  it.each([
    { inputTokens: 5, outputTokens: 2 },
    { inputTokens: 5, outputTokens: 5 },
    { inputTokens: 5, outputTokens: 0 },
    { inputTokens: 0, outputTokens: 5 },
    { inputTokens: 5, outputTokens: 2, cachedInputTokens: 4 },
  ])('[KIT8] takes %j as it is', (usage) => {
    expect(readUsage(usage)).toEqual(usage);
  });

  it('[KIT8] leaves out that nothing was cached', () => {
    const usage = readUsage({ inputTokens: 5, outputTokens: 2, cachedInputTokens: 0 });
    expect(usage).not.toHaveProperty('cachedInputTokens');
  });

  it.each([
    { inputTokens: 5, outputTokens: 2, cachedInputTokens: -1 },
    { inputTokens: 5 },
    { inputTokens: 0, outputTokens: 0 },
    'usage',
  ])('[KIT8] cannot read %j', (usage) => {
    expect(readUsage(usage as never)).toBeUndefined();
  });
});

describe('modelOf', () => {
  it.each([
    ['gpt-x', 'gpt-x'],
    [{ ann: 'gpt-x' }, 'gpt-x'],
    [{ bob: 'gpt-x' }, undefined],
    [undefined, undefined],
  ])('[KIT42] is %j: %s', (models, model) => {
    expect(modelOf(models, 'ann')).toBe(model);
  });

  it('[KIT42] takes nothing that every object has for a model', () => {
    expect(modelOf({}, 'toString')).toBeUndefined();
  });
});
