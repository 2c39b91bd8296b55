import { describe, expect, it } from 'vitest';
import { formatTemplate, type TemplateFault } from '../src/index.ts';

const fill = (template: string, fields: Readonly<Record<string, unknown>>) =>
  formatTemplate(template, fields, (fault) => new Error(describeFault(fault)));

function describeFault(fault: TemplateFault): string {
  return fault.kind === 'no-value' ? `no ${fault.field}` : `lone ${fault.brace}`;
}

describe('formatTemplate', () => {
  it('[PYC7] fills in plain fields and halves doubled braces', () => {
    const fields = { title: 'Rivers', score: 3, ok: true };
    expect(fill('{title}: {score} {{{ok}}}', fields)).toBe('Rivers: 3 {True}');
  });

  it.each([
    ['{missing}', 'no missing'],
    ['{toString}', 'no toString'],
    ['a { b', 'lone {'],
    ['}', 'lone }'],
  ])('[PYC7] lets the caller refuse %j', (template, fault) => {
    expect(() => fill(template, {})).toThrow(new Error(fault));
  });
});
