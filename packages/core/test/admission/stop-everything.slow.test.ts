import { describe, it } from 'vitest';
import { leavesOthers, stopsAll } from './crowd.ts';

// More conversations than a breaker keeps.
describe('a stop of the whole breaker', () => {
  it('[GATE1] lets no call of 1,500 runs begin, and ends the wait of each', () => stopsAll(1_500));

  it('[GATE1] of another breaker leaves 1,500 of them alone', () => leavesOthers(1_500));
});
