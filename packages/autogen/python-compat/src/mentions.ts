/**
 * Counts how often a text contains a name as a whole word.
 *
 * Underscores in a name also match blanks and escaped underscores, as models write both.
 */
export function countMentions(text: string, name: string): number {
  const spellings = [name, name.replaceAll('_', ' '), name.replaceAll('_', '\\_')].map(escaped);
  const mention = new RegExp(`(?<=${NO_WORD})(?:${spellings.join('|')})(?=${NO_WORD})`, 'gu');
  return ` ${text} `.match(mention)?.length ?? 0;
}

/** Matches the characters of Python's `\W`. */
const NO_WORD = '[^\\p{L}\\p{N}_]';

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
