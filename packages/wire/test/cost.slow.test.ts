import { test } from 'vitest';
import { checkCuts, checkMemory, DEFAULTS } from './support/memory.ts';

test('[WIRE26] memory stays the same over ten thousand conversations of 50 messages', () =>
  checkMemory(10_000, DEFAULTS));

test('[WIRE26] memory stays the same over a conversation that is cut five thousand times', () =>
  checkCuts(5_000, DEFAULTS));
