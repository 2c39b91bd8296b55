/** What a text of JSON may hold. */
export interface JsonBounds {
  /** Most fields and entries of lists, at any depth. */
  readonly maxParts: number;
  readonly maxDepth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Which bound a text of JSON exceeds; `undefined` for none. It is not parsed for that, as this alone may take too much. */
export function excessIn(
  text: string,
  { maxParts, maxDepth }: JsonBounds,
): keyof JsonBounds | undefined {
  let parts = 0;
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) {
      i = endOfText(text, i);
    } else if (code === COMMA) {
      parts++;
    } else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      parts++;
      depth++;
      if (depth > maxDepth) return 'maxDepth';
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth--;
    }
    if (parts > maxParts) return 'maxParts';
  }
  return undefined;
}

/** Where a quoted text ends that begins at `start`. Each character is looked at once, as a search is faster than a loop. */
export function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end;
    while (text.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((end - before) % 2 === 0) return end;
  }
  return text.length;
}

/** A text within a request may be JSON, too, such as the arguments of a call. */
const WITHIN: JsonBounds = { maxParts: 50_000, maxDepth: 200 };
/** A shorter text holds less in any case. */
const MIN_LENGTH = 200;

/** Whether a text within a request is short enough to be read as JSON. */
export function isReadable(text: string): boolean {
  return text.length <= MIN_LENGTH || excessIn(text, WITHIN) === undefined;
}
