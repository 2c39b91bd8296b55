import { describe, expect, it } from 'vitest';
import { Analyzer } from '../../src/analysis/analyzer.ts';
import { transcript } from '../../src/testing/index.ts';
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

describe('MessageReader: echoes', () => {
  const line = 'The ferry to the islands leaves from pier fourteen at noon.';

  it('[ANL10] is nothing new, though it is no more idle than what it repeats', () => {
    const analyzer = new Analyzer();
    const steps = transcript(`A:"${line}" B:"${line}"`).map((signal) => analyzer.observe(signal));
    expect(steps.map(({ isProgress }) => isProgress)).toEqual([true, false]);
    expect(steps[1]?.idleness).toBe(steps[0]?.idleness);
  });
});
