import { expect, it } from 'vitest';
import { soundChecks } from './sound-analyzer.ts';

it('[CON5] analyzerContract passes an analyzer with sound declarations, however much there is to remember', () => {
  const long = soundChecks().filter(({ id }) => id === 'ANA5');
  expect(long).toHaveLength(1);
  for (const { check } of long) expect(check).not.toThrow();
});
