import { it } from 'vitest';
import { Programs } from './support/programs.ts';

const programs = new Programs();

it('[REC13] a recording of two processes in one file keeps to maxBytes, and has all 2,000 lines of both', () =>
  programs.recordTogether(2_000));
