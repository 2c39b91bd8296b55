import { it } from 'vitest';
import { tripsAsInOne } from './fleet.ts';

/** `SEEDS=1000` asks more. */
const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 12) }, (_, seed) => seed);

it.each(SEEDS)(
  '[MOV1] a conversation that moves trips as it would in one process: seed %i',
  tripsAsInOne,
);
