import { SELF_REPETITION_SHARE, SELF_REPETITION_TOKENS } from '../judgement.ts';
import { LastPlaces } from './last-places.ts';
import type { TextReader } from './reader/text-reader.ts';
import type { Sketch } from './recent-sketches.ts';

const MAX_PERIOD = 64;
const PLACES = new LastPlaces();
const VOTES: Int32Array = new Int32Array(MAX_PERIOD + 1);

/**
 * How often the text in `reader` repeats itself throughout; 0 if it does not. Numbers count, since rows of a table or lines
 * of a log are alike but each is new.
 */
export function countSelfRepetitions(reader: TextReader, { size }: Sketch): number {
  const { terms: tokens, count } = reader;
  if (count < SELF_REPETITION_TOKENS) return 0;
  // Outside the first period, only tokens that break the repetition can be new.
  if (size > MAX_PERIOD + (1 - SELF_REPETITION_SHARE) * count + 1) return 0;
  const period = usualDistance(tokens, count);
  if (period === 0) return 0;
  let covered = period;
  for (let i = period; i < count; i++) if (tokens[i] === tokens[i - period]) covered++;
  return covered >= SELF_REPETITION_SHARE * count ? Math.floor(count / period) : 0;
}

/** The most common distance between a token and its last occurrence, or 0. */
function usualDistance(tokens: Int32Array, count: number): number {
  const places = PLACES;
  const votes = VOTES.fill(0);
  places.begin(count);
  let usual = 0;
  for (let i = 0; i < count; i++) {
    const token = tokens[i] as number;
    const before = places.move(token, i);
    const distance = i - before;
    if (before < 0 || distance > MAX_PERIOD) continue;
    votes[distance] = (votes[distance] as number) + 1;
    if ((votes[distance] as number) > (votes[usual] as number)) usual = distance;
  }
  return usual;
}
