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
    size += end.length;
    const line = size <= maxBytes ? { number, text: textOf(parts, end) } : undefined;
    if (line === undefined) broken(number, `a line of more than ${maxBytes} bytes`);
    parts = [];
    size = 0;
    number += 1;
    return line?.text.trim() === '' ? undefined : line;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = take(chunk.subarray(start, end));
      if (line !== undefined) lines.push(line);
      start = end + 1;
    }
    const rest = chunk.subarray(start);
    size += rest.length;
    if (size > maxBytes) parts = [];
    else if (rest.length > 0) parts.push(rest);
    if (lines.length > 0) yield lines;
  }
  const last = size > 0 ? take(new Uint8Array()) : undefined;
  if (last !== undefined) yield [last];
}

const decoder = new TextDecoder();

function textOf(parts: readonly Uint8Array[], end: Uint8Array): string {
  return decoder.decode(parts.length === 0 ? end : Buffer.concat([...parts, end]));
}
