import { redactSecrets } from '@teamfuse/core';

const UNSAFE = /\p{Cc}|\p{Cf}|\p{Cs}|\p{Zl}|\p{Zp}/gu;
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
  return redactSecrets(text.replace(SEQUENCES, ''))
    .replace(/[\t\n\r]+/g, ' ')
    .replace(UNSAFE, '');
}

/** JSON on one line whose texts cannot steer a terminal: the characters that could are written as escapes. */
export function toJsonLine(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
