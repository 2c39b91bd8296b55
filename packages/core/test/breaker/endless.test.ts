import { it } from 'vitest';
import { takeOddSignals } from './odd-signals.ts';

it('[BRK30] takes any number of odd signals without an error, and stays bounded', () =>
  takeOddSignals(2_000));
