import { describe } from 'vitest';
import { testCutStreams } from '../support/cut-streams.ts';

describe('answers that are cut off', () => {
  testCutStreams(200);
});
