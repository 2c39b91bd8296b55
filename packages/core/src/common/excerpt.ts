/** Most characters of an excerpt. */
export const EXCERPT_LENGTH = 160;
/** Most characters of a raw excerpt. */
export const RETAINED_LENGTH = 1024;

/**
 * Text that is safe to show: one line of at most `length` characters, without control, direction or invisible characters and
 * without repeated spaces.
 */
export function cleanText(text: string, length: number): string {
  const line = text
    .slice(0, 4 * length)
    .replace(/\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}|(?![\t\n\r])\p{Cc}/gu, '')
    .replace(/[\s\u2800]+/g, ' ')
    .trim();
  // No text has more characters than units.
  if (line.length <= length) return line;
  const characters = [...line];
  return characters.length <= length ? line : `${characters.slice(0, length - 1).join('')}…`;
}

const MAX_QUOTATION = 100;

/** Quotes a text of the team in a sentence: one line, without quotation marks that could close it early. */
export function quotation(text: string, length: number = MAX_QUOTATION): string {
  return `'${cleanText(text, length).replace(/['‘’‚‛`´]/g, '’')}'`;
}

const NAME = /^[\p{L}\p{N}_.$:/-]{1,80}$/u;

/** The name of an agent in a sentence: as it is if it looks like a name, and else as a quotation. */
export function named(text: string): string {
  return NAME.test(text) ? text : quotation(text);
}
