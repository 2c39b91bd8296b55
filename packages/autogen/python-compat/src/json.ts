import { findJsonFault } from './json-fault.ts';

/** A text is not JSON; worded and positioned as in Python's decoder, which models are used to. */
export class JsonTextError extends SyntaxError {
  override readonly name = 'JsonTextError';
}

/**
 * Parses JSON written by a model; like Python's decoder it also accepts `NaN` and `Infinity`.
 *
 * @throws {@link JsonTextError} with the expected token, line and column.
 */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const fault = findJsonFault(text);
    if (fault === undefined) return parseConstants(text);
    throw new JsonTextError(`${fault.problem}: ${position(text, fault.at)}`, { cause });
  }
}

/** JSON with a space after commas and colons, as Python writes it. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`;
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
    return JSON.stringify(value) ?? 'null';
  }
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}: ${spacedJson(field)}`).join(', ')}}`;
}

// The control character keeps it apart from what models write.
const NAN = '\u0000NaN';
const STRING_OR_CONSTANT = /"(?:[^"\\]|\\.)*"|NaN|Infinity/g;

function parseConstants(text: string): unknown {
  const plain = text.replace(STRING_OR_CONSTANT, (found) => {
    if (found === 'NaN') return JSON.stringify(NAN);
    return found === 'Infinity' ? '1e999' : found;
  });
  return JSON.parse(plain, (_key, value) => (value === NAN ? Number.NaN : value));
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
