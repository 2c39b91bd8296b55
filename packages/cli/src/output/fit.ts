const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u;
const MIN_COLUMNS = 40;

/**
 * Wraps lines for a terminal of this width: a long line continues below the start of its text. Without a width, as in a pipe, lines
 * stay unchanged.
 */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined || columns < MIN_COLUMNS) return text;
  return text
    .split('\n')
    .flatMap((line) => linesOf(line, columns))
    .join('\n');
}

function linesOf(line: string, columns: number): string[] {
  if (widthOf(line) <= columns || /^[┌├│└]/.test(line)) return [line];
  const indent = ' '.repeat(Math.min(indentOf(line), columns / 2));
  const lines: string[] = [];
  let shown = '';
  for (const word of line.match(/\s*\S+/g) ?? []) {
    for (const part of partsOf(word, columns - indent.length)) {
      if (shown !== '' && widthOf(shown) + widthOf(part) > columns) {
        lines.push(shown);
        shown = indent + part.trimStart();
      } else shown += part;
    }
  }
  return [...lines, shown];
}

/** Where the text of a line begins: after its spaces, and after what numbers it. */
function indentOf(line: string): number {
  const [spaces = ''] = /^ */.exec(line) ?? [];
  const [head = ''] = /^ *(?:#\d+ +|[a-z]+ {2,})/.exec(line) ?? [];
  return head.length > 0 ? head.length : spaces.length + 2;
}

/** A word in pieces that have room on a line. */
function partsOf(word: string, room: number): string[] {
  if (widthOf(word) <= room) return [word];
  const parts = [''];
  for (const character of word) {
    const last = parts.length - 1;
    if (widthOf(parts[last] as string) + widthOf(character) > room) parts.push(character);
    else parts[last] += character;
  }
  return parts;
}

/** How many columns a text takes: East Asian characters and pictures take two. */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}
