const NAME_LENGTH = 40;
/** Of a text that is cut, this share is its beginning and the rest its end. */
const HEAD_SHARE = 0.7;

/** A text without control and invisible characters; line breaks stay. */
function printable(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\p{Cs}|\p{Cf}|\p{Default_Ignorable_Code_Point}|(?![\t\n])\p{Cc}/gu, '');
}

/** A text of at most about `length` characters: of a longer one, the beginning and the end. */
export function shortened(text: string, length: number): string {
  const head = Math.round(length * HEAD_SHARE);
  if (text.length <= length) return printable(text);
  const left = text.length - length;
  return `${printable(text.slice(0, head))} […${left} characters…] ${printable(text.slice(text.length - (length - head)))}`;
}

/** A text on one line, cut at its end. */
export function oneLine(text: string, length: number): string {
  const line = printable(text.slice(0, 4 * length))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
}

/** A name as a heading shows it. */
export function nameOf(name: string): string {
  return oneLine(name, NAME_LENGTH).replaceAll('|', '/') || '(no name)';
}

/** Every line behind a bar, so that nothing in a text can pass for a heading. */
export function quoted(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => `| ${line}`)
    .join('\n');
}
