import { InvalidArgumentError } from '@commander-js/extra-typings';

/** A port as the command line gives it. */
export function portOf(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number <= 65_535) return number;
  throw new InvalidArgumentError('Expected a port from 0 to 65535.');
}
