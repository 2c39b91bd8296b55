/** The text Python's `repr` gives for a value. */
export function repr(value: unknown): string {
  if (typeof value === 'string') return stringRepr(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, item]) => `${repr(key)}: ${repr(item)}`);
    return `{${entries.join(', ')}}`;
  }
  return scalarText(value);
}

/** The text Python's `str` gives for a value: like {@link repr}, but strings are unchanged. */
export function str(value: unknown): string {
  return typeof value === 'string' ? value : repr(value);
}

/** The repr of an object of a class: `FunctionCall(id='1', name='f')`. */
export function recordRepr(className: string, fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(fields).map(([name, value]) => `${name}=${repr(value)}`);
  return `${className}(${parts.join(', ')})`;
}

function scalarText(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  return String(value);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
/** Matches the characters Python's `str.isprintable` refuses, and the backslash. */
const ESCAPED = /[\\\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function stringRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(ESCAPED, (char) => ESCAPES[char] ?? codePointEscape(char));
  return quote + (quote === "'" ? escaped.replaceAll("'", "\\'") : escaped) + quote;
}

function codePointEscape(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code < 0x100) return `\\x${hex.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}
