const CONSONANTS = 'bcdfghjklmnpqrstvwz';
const VOWELS = 'aeiou';

/** Numbers from 0 to below `end` that are the same in every run. */
export function seededRandom(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * end);
  };
}

/** Each number's own word; the larger the number, the longer the word. */
function wordAt(n) {
  let word = '';
  for (let rest = n + 30; rest > 0; rest = Math.floor(rest / 95)) {
    word += CONSONANTS[rest % 19] + VOWELS[Math.floor(rest / 19) % 5];
  }
  return word;
}

/** Prose of `length` characters. Common words come often, and new ones keep appearing, as in any real text. */
export function prose(random, length, turn) {
  const known = 800 + turn * 2;
  let text = '';
  let isFirst = true;
  while (text.length < length) {
    const rank = Math.floor((random(1 << 20) / (1 << 20)) ** 3 * known);
    const word = wordAt(rank);
    text += isFirst ? word[0].toUpperCase() + word.slice(1) : word;
    isFirst = random(12) === 0;
    text += isFirst ? '. ' : ' ';
  }
  // Parsed, as texts of models are, so that it is no rope of slices.
  return JSON.parse(JSON.stringify(text.slice(0, length)));
}
