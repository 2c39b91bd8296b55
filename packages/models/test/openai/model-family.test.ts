import { describe, expect, test } from 'vitest';
import { modelInfoOf } from '../../src/index.ts';

describe('modelInfoOf', () => {
  test.each([
    ['gpt-4o', 'gpt-4o'],
    ['gpt-4o-mini-2024-07-18', 'gpt-4o'],
    ['openai/gpt-4.1-nano', 'gpt-41'],
    ['gpt-4-turbo', 'gpt-4'],
    ['gpt-3.5-turbo', 'gpt-35'],
    ['GPT-5-mini', 'gpt-5'],
    ['o3-mini', 'o3'],
    ['o30', 'unknown'],
    ['gpt-40', 'unknown'],
    ['writer-looping', 'unknown'],
    ['', 'unknown'],
  ])('[FAM1] reads the family of %s as %s', (model, family) => {
    expect(modelInfoOf(model).family).toBe(family);
  });

  test('[FAM2] expects functions and JSON of an unknown model, nothing more', () => {
    expect(modelInfoOf('llama-3.1-8b')).toEqual({
      vision: false,
      functionCalling: true,
      jsonOutput: true,
      structuredOutput: false,
      family: 'unknown',
      multipleSystemMessages: true,
    });
  });
});
