import { KeyError, ValueError } from '@teamfuse/agentchat';
import { describe, expect, it } from 'vitest';
import { formatTemplate } from '../../src/base/format-template.ts';

describe('formatTemplate', () => {
  it('[MSG7] fills in plain fields and halves doubled braces', () => {
    const fields = { title: 'Rivers', score: 3, ok: true };
    expect(formatTemplate('{title}: {score} {{{ok}}}', fields)).toBe('Rivers: 3 {True}');
  });

  it('[MSG7] throws a KeyError that names a field without a value', () => {
    expect(() => formatTemplate('{missing}', {})).toThrow(new KeyError("'missing'"));
    expect(() => formatTemplate('{toString}', {})).toThrow(KeyError);
  });

  it.each(['{', '}', 'a { b'])('[MSG7] refuses the lone brace in %j', (template) => {
    expect(() => formatTemplate(template, {})).toThrow(ValueError);
  });
});
