import { it } from 'vitest';
import { keepPromises } from './promises.ts';

it('[BUD19] many conversations at once keep every promise with other seeds, in 500,000 steps', () =>
  keepPromises(1_000_001, 500_000));
