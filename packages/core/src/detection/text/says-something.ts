import { PROSE_SHARE, PROSE_WORDS } from '../judgement.ts';
import { AKSHARA, classify, DENSE, KANA, LETTER, MARK, SYLLABLE } from './reader/script.ts';

const OF_WORDS: ReadonlySet<number> = new Set([LETTER, SYLLABLE, AKSHARA, MARK]);
/** Characters of scripts without spaces that make a word, about. */
const DENSE_PER_WORD = 2;

/**
 * Whether a text that repeats says something. What does not is data, drawing or markup, of which there may be much that is the same:
 * zeros, empty cells, rules.
 */
export function saysSomething(text: string): boolean {
  const words = new Set<string>();
  const dense = new Set<string>();
  let letters = 0;
  let count = 0;
  let word = '';
  const end = (): void => {
    if (word === '') return;
    words.add(word);
    count++;
    word = '';
  };
  for (let i = 0; i < text.length; i++) {
    const type = classify(text.charCodeAt(i));
    if (OF_WORDS.has(type)) {
      letters++;
      word += text[i];
      continue;
    }
    end();
    if (type !== DENSE && type !== KANA) continue;
    letters++;
    dense.add(text[i] as string);
  }
  end();
  // One space for each word: more of them are the blanks of a table.
  const spaces = Math.min(count, text.split(/\s/).length - 1);
  const isProse = letters + spaces >= PROSE_SHARE * text.length;
  return isProse && words.size + dense.size / DENSE_PER_WORD >= PROSE_WORDS;
}
