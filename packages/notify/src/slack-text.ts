/** A text of Slack in which nothing is a link, a mention or a format. */
export interface PlainText {
  readonly type: 'plain_text';
  readonly text: string;
  /** Whether `:name:` is a picture. */
  readonly emoji: false;
}

/** Most characters of a text: with each of them escaped, it has as many as Slack takes in a field. */
const MAX_LENGTH = 400;
const UNSEEN = /\p{Cf}|\p{Cs}|\p{Default_Ignorable_Code_Point}/gu;
const SPACES = /[\s\p{Cc}]+/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text on one line, without what Slack reads as a link or a mention, such as `<!channel>`. Slack takes none that is empty. */
export function escaped(text: string): string {
  const line = text
    .slice(0, 4 * MAX_LENGTH)
    .replace(UNSEEN, '')
    .replace(SPACES, ' ')
    .trim();
  const characters = [...(line || '-')];
  const isLong = characters.length > MAX_LENGTH || text.length > 4 * MAX_LENGTH;
  const shown = isLong ? [...characters.slice(0, MAX_LENGTH - 1), '…'] : characters;
  return shown.map((one) => ENTITIES[one] ?? one).join('');
}

export function plainText(text: string): PlainText {
  return { type: 'plain_text', text: escaped(text), emoji: false };
}
