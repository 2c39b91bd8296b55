import type { Fields } from '../fields.ts';
import type { WireFormat, WireRequest } from '../formats/format.ts';
import { valueAt } from '../json-field.ts';
import { CallerMistake } from './caller-mistake.ts';

/**
 * Reads a request; `undefined` for one without a history.
 *
 * @throws CallerMistake for one whose history is none: some servers may take it for one.
 */
export function readRequest(
  format: WireFormat,
  body: Fields,
  url: string,
): WireRequest | undefined {
  const request = format.readRequest(body, url);
  const field = format.historyAt(body);
  if (request === undefined && valueAt(body, field) !== undefined) {
    throw new CallerMistake(`its field '${field.at(-1)}' is not a list of messages`);
  }
  return request;
}
