import { type Fields, fieldsOf } from './fields.ts';
import { endOfText } from './json-size.ts';

const [QUOTE, COMMA, COLON] = [0x22, 0x2c, 0x3a];
const OPEN: readonly number[] = [0x5b, 0x7b];
const CLOSE: readonly number[] = [0x5d, 0x7d];
/** The rest of an object that holds nothing. */
const EMPTY = /^\s*\}/;

/** Where a field stands: its name, after those of the objects that it is in. */
export type Path = readonly [name: string, ...within: readonly string[]];

/** The value of a field. */
export function valueAt(body: Fields, path: Path): unknown {
  return path.reduce<unknown>((value, name) => fieldsOf(value)[name], body);
}

/** The text of a JSON object with this JSON for a field, and otherwise as it was: a number may be longer than a parser keeps it. */
export function withField(text: string, path: Path, json: string): string {
  const [name, ...within] = path;
  const span = spanOf(text, name);
  const before = span && text.slice(span.start, span.end);
  const value = isPath(within) ? withField(objectIn(before), within, json) : json;
  if (span !== undefined) return text.slice(0, span.start) + value + text.slice(span.end);
  const start = text.indexOf('{') + 1;
  const rest = text.slice(start);
  const comma = EMPTY.test(rest) ? '' : ',';
  return `${text.slice(0, start)}${JSON.stringify(name)}:${value}${comma}${rest}`;
}

/** The text of a JSON object with this JSON at the end of the list in a field; `undefined` if it holds no list. */
export function withEntry(text: string, path: Path, json: string): string | undefined {
  const [name, ...within] = path;
  const { start = 0, end = 0 } = spanOf(text, name) ?? {};
  const value = text.slice(start, end);
  const changed = isPath(within) ? withEntry(value, within, json) : withLast(value, json);
  return changed && text.slice(0, start) + changed + text.slice(end);
}

function withLast(text: string, json: string): string | undefined {
  const list = text.trimEnd();
  if (!list.endsWith(']')) return undefined;
  const head = list.slice(0, -1);
  const comma = head.trim() === '[' ? '' : ',';
  return `${head}${comma}${json}]`;
}

function isPath(names: readonly string[]): names is Path {
  return names.length > 0;
}

/** The text of an object, or of an empty one. */
function objectIn(text = ''): string {
  return text.trimStart().startsWith('{') ? text : '{}';
}

/** Where the value of a field stands in the text of an object: of several, the last, as parsers take it. */
function spanOf(text: string, name: string): { start: number; end: number } | undefined {
  let found: { start: number; end: number } | undefined;
  let depth = 0;
  let key = '';
  /** Where the value of the key begins; 0 before its colon. */
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      const end = endOfText(text, i);
      if (depth === 1 && start === 0) key = JSON.parse(text.slice(i, end + 1));
      i = end;
    } else if (OPEN.includes(code)) {
      depth++;
    } else if (code === COLON && depth === 1) {
      start = i + 1;
    } else if (depth === 1 && (code === COMMA || CLOSE.includes(code))) {
      if (key === name && start > 0) found = { start, end: i };
      start = 0;
    }
    if (CLOSE.includes(code)) depth--;
  }
  return found;
}
