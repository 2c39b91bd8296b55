import { InvalidOptionError } from '@teamfuse/core';

const NOT_SHOWN = 'a value that is not shown';
/** What errors say of a value without repeating it. */
const SAYS_NOTHING = /^(?:nothing|null|true|false|a value of type \w+|an array of \d+)$/;

/** The error of an option whose value is a secret. */
export function hidden(option: string, expected: string, received: string = NOT_SHOWN): Error {
  const sentence = `option '${option}': expected ${expected}, received ${received}`;
  return new InvalidOptionError(option, expected, received, sentence);
}

/** Reads options. An error shows the value of those in `shown` alone: whoever misspells `secret` has written a secret, too. */
export function hiding<T>(shown: object, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidOptionError) || Object.hasOwn(shown, error.option)) throw error;
    const { option, expected, received } = error;
    throw hidden(option, expected, SAYS_NOTHING.test(received) ? received : NOT_SHOWN);
  }
}
