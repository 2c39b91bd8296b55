import { it } from 'vitest';
import { keepPromises } from './promises.ts';

/** The other half is in other-seeds.slow.test.ts, for the other core of the machine. */
it('[BUD19] many conversations at once keep every promise, in 500,000 steps', () =>
  keepPromises(1, 500_000));
