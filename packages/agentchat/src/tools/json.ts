import { findJsonFault } from './json-fault.ts';

/**
 * Parses JSON written by a model.
 *
 * @throws SyntaxError with the expected token, line and column, in the words of Python's parser.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text);
    if (fault === undefined) throw error;
    throw new SyntaxError(`${fault.problem}: ${position(text, fault.at)}`, { cause: error });
  }
}

function position(text: string, at: number): string {
  const before = text.slice(0, at);
  const lines = before.split('\n');
  const column = codePoints(lines.at(-1) ?? '') + 1;
  return `line ${lines.length} column ${column} (char ${codePoints(before)})`;
}

function codePoints(text: string): number {
  return [...text].length;
}
