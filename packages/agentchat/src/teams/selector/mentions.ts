/**
 * The participants whose names occur in a text as whole words.
 *
 * Underscores in a name also match blanks and escaped underscores, as models write both.
 */
export function mentionedNames(text: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const spellings = [name, name.replaceAll('_', ' '), name.replaceAll('_', '\\_')].map(escaped);
    return new RegExp(`(?<=${NO_WORD})(?:${spellings.join('|')})(?=${NO_WORD})`, 'u').test(
      ` ${text} `,
    );
  });
}

/** Matches the characters of Python's `\W`. */
const NO_WORD = '[^\\p{L}\\p{N}_]';

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
