import { describe } from 'vitest';
import { testTold } from './told.ts';

describe('forms of secrets', () => {
  testTold(1);
});
