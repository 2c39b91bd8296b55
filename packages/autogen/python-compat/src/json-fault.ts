/** Where and why a text is not JSON. */
export interface JsonFault {
  readonly problem: string;
  /** UTF-16 offset into the text. */
  readonly at: number;
}

type Expect = 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'comma-or-end' | 'nothing';

const BLANKS = /[ \t\n\r]*/y;
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity/y;
const HEX = /[0-9a-fA-F]{4}/y;

/**
 * Finds the first fault of a text that is not JSON, in the words and at the place Python reports it.
 *
 * The words of `JSON.parse` change with the version of Node and quote the text, so that equal faults would look
 * different. Written without recursion: a model may nest as deep as it likes.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = [];
  let expect: Expect = 'value';
  let at = skip(BLANKS, text, 0);
  const afterValue = (): Expect => (open.length === 0 ? 'nothing' : 'comma-or-end');

  for (; ; at = skip(BLANKS, text, at)) {
    const char = text[at];
    const inObject = open.at(-1) === '{';
    const closes = char !== undefined && char === (inObject ? '}' : ']');

    if (expect === 'nothing') {
      return char === undefined ? undefined : { problem: 'Extra data', at };
    }
    if (closes && expect.endsWith('-or-end')) {
      open.pop();
      expect = afterValue();
      at++;
    } else if (expect === 'comma-or-end') {
      if (char !== ',') return { problem: "Expecting ',' delimiter", at };
      expect = inObject ? 'key' : 'value';
      at++;
    } else if (expect === 'key' || expect === 'key-or-end') {
      if (char !== '"') return { problem: 'Expecting property name enclosed in double quotes', at };
      const end = endOfString(text, at);
      if (typeof end !== 'number') return end;
      at = skip(BLANKS, text, end);
      if (text[at] !== ':') return { problem: "Expecting ':' delimiter", at };
      expect = 'value';
      at++;
    } else if (char === '{' || char === '[') {
      open.push(char);
      expect = char === '{' ? 'key-or-end' : 'value-or-end';
      at++;
    } else {
      const end = char === '"' ? endOfString(text, at) : skip(SCALAR, text, at);
      if (typeof end !== 'number') return end;
      if (end === at) return { problem: 'Expecting value', at };
      expect = afterValue();
      at = end;
    }
  }
}

function skip(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(text)?.[0].length ?? 0);
}

function endOfString(text: string, start: number): number | JsonFault {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '"') return at + 1;
    if (char < ' ') return { problem: 'Invalid control character at', at };
    if (char !== '\\') continue;
    const escaped = text.charAt(at + 1);
    if (escaped === '') break;
    if (escaped === 'u') {
      if (skip(HEX, text, at + 2) === at + 2) {
        return { problem: 'Invalid \\uXXXX escape', at: at + 1 };
      }
    } else if (!'"\\/bfnrt'.includes(escaped)) {
      return { problem: 'Invalid \\escape', at };
    }
    at++;
  }
  return { problem: 'Unterminated string starting at', at: start };
}
