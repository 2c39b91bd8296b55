/**
 * The participants whose names occur in a text, as words of their own.
 *
 * A name also counts with blanks or escaped underscores in the place of its underscores: models write both.
 */
export function mentionedNames(text: string, names: readonly string[]): readonly string[] {
  return names.filter((name) => {
    const spellings = [name, name.replaceAll('_', ' '), name.replaceAll('_', '\\_')].map(escaped);
    return new RegExp(`(?<=${NO_WORD})(?:${spellings.join('|')})(?=${NO_WORD})`, 'u').test(
      ` ${text} `,
    );
  });
}

/** What Python's `\W` matches. */
const NO_WORD = '[^\\p{L}\\p{N}_]';

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
