import { describe } from 'vitest';
import { testLinearTime } from './linear-time.ts';

describe('redactSecrets', () => {
  testLinearTime(1);
});
