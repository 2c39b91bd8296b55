import { describe } from 'vitest';
import { testRecordings } from './support/recordings.ts';

describe('the default policy with the recorded answers of a judge', () => {
  testRecordings({ day: '2026-11-28', loops: 31, hit: 18, healthy: 48, stopped: 1 });
  testRecordings({ day: '2026-11-23', loops: 38, hit: 20, healthy: 49, stopped: 0 });
});
