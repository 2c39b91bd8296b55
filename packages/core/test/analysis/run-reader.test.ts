import { describe, expect, it } from 'vitest';
import { RepetitionDetector } from '../../src/detectors/repetition.ts';
import { timeline } from '../../src/testing/index.ts';
import { wordAt } from '../../src/testing/words.ts';

/** One run of code after the other, each with the same output. */
function runs(count: number, code: (i: number) => string, output: string): string {
  const signals = Array.from({ length: count }, (_, i) => ({
    ...{ kind: 'execution' as const, at: i * 3000, agent: 'runner', language: 'sql' },
    ...{ code: code(i), exitCode: 0, output },
  }));
  return timeline(new RepetitionDetector(), signals);
}

const update = (i: number): string =>
  `UPDATE users SET active = true WHERE name = '${wordAt(i * i + 40)}';`;

describe('runs of code', () => {
  it('[ANL15] are a batch if each is for something else and only acknowledged', () => {
    expect(runs(26, update, 'UPDATE done')).not.toContain('T');
  });

  it('[ANL15] are no batch if they are for the same things again', () => {
    expect(runs(26, (i) => update(i % 6), 'UPDATE done')).toContain('T');
  });

  it('[ANL15] are no batch if an answer full of figures never changes', () => {
    const plan = 'rows 4711 cost 20.5 width 312 loops 14 time 1800 filter 99';
    expect(runs(26, update, plan)).toContain('T');
  });
});
