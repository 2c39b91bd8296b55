import { SELF_REPETITION_SHARE, SELF_REPETITION_TOKENS } from '../../judgement.ts';
import type { TextReader } from './text-reader.ts';

const MAX_PERIOD = 64;

/**
 * How often the text just read says the same over and over; 0 if it does not do so throughout.
 *
 * Numbers count: the rows of a table and the lines of a log are alike, and still each says something.
 * @internal
 */
export function countSelfRepetitions(reader: TextReader): number {
  const { terms: tokens, count } = reader;
  if (count < SELF_REPETITION_TOKENS) return 0;
  const period = usualDistance(tokens, count);
  if (period === 0) return 0;
  let covered = period;
  for (let i = period; i < count; i++) if (tokens[i] === tokens[i - period]) covered++;
  return covered >= SELF_REPETITION_SHARE * count ? Math.floor(count / period) : 0;
}

/** The commonest distance between a token and its last occurrence, or 0 if most tokens occur once. */
function usualDistance(tokens: Int32Array, count: number): number {
  const places = new Map<number, number>();
  const votes = new Int32Array(MAX_PERIOD + 1);
  let usual = 0;
  for (let i = 0; i < count; i++) {
    const token = tokens[i] as number;
    const distance = i - (places.get(token) ?? Number.NEGATIVE_INFINITY);
    places.set(token, i);
    if (distance > MAX_PERIOD) continue;
    votes[distance] = (votes[distance] as number) + 1;
    if ((votes[distance] as number) > (votes[usual] as number)) usual = distance;
  }
  return usual;
}
