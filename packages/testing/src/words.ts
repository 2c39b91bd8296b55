import type { SeededRandom } from './seeded-random.ts';

const CONSONANTS = 'bcdfghjklmnpqrstvwxz';
const VOWELS = 'aeiou';
const SYLLABLES = CONSONANTS.length * VOWELS.length;
const MIN_SYLLABLES = 3;

/** The word number `n`: for each number another one, and another beginning as well. */
export function wordAt(n: number): string {
  let word = '';
  let rest = n;
  for (let i = 0; i < MIN_SYLLABLES || rest > 0; i++) {
    const syllable = rest % SYLLABLES;
    word += CONSONANTS[syllable % CONSONANTS.length];
    word += VOWELS[Math.floor(syllable / CONSONANTS.length)];
    rest = Math.floor(rest / SYLLABLES);
  }
  return word;
}

/** So many words out of the first `vocabulary` ones, the earlier the more often. */
export function words(random: SeededRandom, count: number, vocabulary: number): string {
  const chosen: string[] = [];
  for (let i = 0; i < count; i++) chosen.push(wordAt(random.below(1 + random.below(vocabulary))));
  return chosen.join(' ');
}
