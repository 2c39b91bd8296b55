import { redactSecrets } from '@teamfuse/core';

const UNSAFE = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu;
const UNSAFE_IN_LINES = /(?!\n)(?:\p{Cc}|\p{Cf}|\p{Cs})/gu;
const ESCAPE = String.fromCharCode(27);
const SEQUENCES = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\x07${ESCAPE}]{0,4096}(?:\\x07|${ESCAPE}\\\\)?|[@-Z\\\\-_])`,
  'g',
);

/**
 * Text from a recording as a terminal may show it: on one line, without secrets, control characters, escape sequences or
 * characters that turn the direction of writing.
 */
export function cleanForTerminal(text: string): string {
  // Invisible characters could hide a secret.
  return redactSecrets(
    text
      .replace(SEQUENCES, '')
      .replace(/[\t\n\r]+/g, ' ')
      .replace(UNSAFE, ''),
  );
}

/** Text from a recording as a page may show it: at most `length` characters in lines, without secrets and without what {@link cleanForTerminal} takes out. */
export function cleanForPage(text: string, length: number): string {
  const visible = text
    .slice(0, 4 * length)
    .replace(SEQUENCES, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/\t/g, ' ')
    .replace(UNSAFE_IN_LINES, '');
  const lines = redactSecrets(visible).trim();
  const characters = [...lines];
  const isCut = characters.length > length || text.length > 4 * length;
  return isCut ? `${characters.slice(0, length - 1).join('')}…` : lines;
}

/** JSON on one line whose texts cannot steer a terminal: the characters that could are written as escapes. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
