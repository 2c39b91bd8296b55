import { describe } from 'vitest';
import { testSnapshots } from './rolling-snapshots.ts';

describe('the snapshot of a breaker', () => {
  testSnapshots(50);
});
