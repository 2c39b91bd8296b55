import { describe } from 'vitest';
import { testRecordings } from './support/recordings.ts';

describe('the default policy with the recorded answers of a judge', () => {
  testRecordings({ day: '2026-11-23', loops: 38, hit: 25, healthy: 49, stopped: 0 });
});
