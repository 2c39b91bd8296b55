/** One line of a file, from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** A line that cannot be had, and why. */
export type ReportBroken = (line: number, problem: string) => void;

const NEWLINE = 10;

/**
 * Cuts bytes into lines, some at a time. A line of more than `maxBytes` is reported as broken and skipped without being
 * held in memory. The first line has the number `first`.
 */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
  broken: ReportBroken,
  first = 1,
): AsyncGenerator<readonly Line[]> {
  let number = first;
  let parts: Uint8Array[] = [];
  let size = 0;
  const take = (end: Uint8Array): Line | undefined => {
    const isHeld = size + end.length <= maxBytes;
    const line = isHeld ? { number, text: textOf(parts, end) } : undefined;
    parts = [];
    size = 0;
    number += 1;
    return line;
  };
  const tooLong = (): void => broken(number - 1, `a line of more than ${maxBytes} bytes`);
  for await (const chunk of chunks) {
    let lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = take(chunk.subarray(start, end));
      start = end + 1;
      if (line !== undefined) {
        if (!isBlank(line)) lines.push(line);
        continue;
      }
      // Problems are reported in the order of the lines.
      if (lines.length > 0) yield lines;
      lines = [];
      tooLong();
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    if (size > maxBytes) parts = [];
    else if (rest.length > 0) parts.push(rest);
    if (lines.length > 0) yield lines;
  }
  if (size === 0) return;
  const last = take(new Uint8Array());
  if (last === undefined) tooLong();
  else if (!isBlank(last)) yield [last];
}

function isBlank({ text }: Line): boolean {
  return text.trim() === '';
}

const decoder = new TextDecoder();

function textOf(parts: readonly Uint8Array[], end: Uint8Array): string {
  return decoder.decode(parts.length === 0 ? end : Buffer.concat([...parts, end]));
}

/**
 * The value in a line.
 * @throws Error that does not quote the line, as the parser's own does.
 */
export function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('the line is not JSON');
  }
}
