import { it } from 'vitest';
import { takeOddSignals } from './odd-signals.ts';

/** A million takes minutes: `ENDLESS_SIGNALS=1000000` asks for it. */
const COUNT = Number(process.env.ENDLESS_SIGNALS ?? 10_000);

it('[BRK30] takes ten thousand odd signals without an error, and stays bounded', () =>
  takeOddSignals(COUNT));
