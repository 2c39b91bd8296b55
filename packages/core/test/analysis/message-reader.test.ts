import { describe, expect, it } from 'vitest';
import { lastSaid } from '../support/steps.ts';

const shown = (language: string): string =>
  JSON.stringify(`Here it is:\n\`\`\`${language}\nprint(total)\n\`\`\``);

describe('MessageReader: code', () => {
  it('[REP13] is old once its author has shown it before', () => {
    expect(lastSaid(`A:${shown('python')}`).code).toBe('new');
    expect(lastSaid(`A:${shown('python')} A:${shown('python')}`).code).toBe('old');
    expect(lastSaid(`A:${shown('python')} B:${shown('python')}`).code).toBe('new');
  });

  it('[REP13] is what is fenced in as a language, and no quotation', () => {
    expect(lastSaid(`A:${shown('')}`).code).toBe('none');
    expect(lastSaid('A:"Nothing is fenced in."').code).toBe('none');
  });
});
