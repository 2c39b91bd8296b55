import { resumed } from './bytes.ts';
import type { InputLimits } from './limits.ts';

/** The beginning of an input, by which its format is recognised. */
export interface Head {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Its first JSON values, one a line; or the one value that all of it is. */
  readonly values: readonly unknown[];
  /** Why it cannot be of any format, if that is known. */
  readonly problem?: string | undefined;
}

/** How an input holds JSON: one value per line, or one value in many lines. */
export type Shape =
  | { readonly kind: 'lines' }
  | { readonly kind: 'document'; readonly value: unknown };

/** What was read of an input to find out what it is. */
export interface Peeked {
  readonly head: Head;
  readonly shape: Shape;
  /** The chunks that were read, and those that follow. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

const HEAD_BYTES = 64 * 1024;
const MAX_VALUES = 50;
const NO_DOCUMENT =
  'expected a JSON document, which is broken, incomplete or followed by something else';
const NEWLINE = 10;

/** Reads as much as it takes to see the first line, or the whole document. */
export async function peek(bytes: AsyncIterable<Uint8Array>, limits: InputLimits): Promise<Peeked> {
  const iterator = bytes[Symbol.asyncIterator]();
  const taken: Uint8Array[] = [];
  let size = 0;
  let isLineSeen = false;
  let isOver = false;
  const read = async (): Promise<void> => {
    const next = await iterator.next();
    isOver = next.done === true;
    if (next.done) return;
    taken.push(next.value);
    size += next.value.length;
    isLineSeen ||= hasLine(next.value);
  };
  while (!isOver && (size < HEAD_BYTES || (!isLineSeen && size < limits.maxLineBytes)))
    await read();
  let text = decode(taken);
  let shape: Shape = { kind: 'lines' };
  let problem = size === 0 ? 'the file is empty' : undefined;
  if (opensDocument(text)) {
    while (!isOver && size < limits.maxDocumentBytes) await read();
    text = decode(taken);
    const value = isOver ? parsed(text) : undefined;
    if (value !== undefined) shape = { kind: 'document', value };
    else if (isOver) problem = NO_DOCUMENT;
    else problem = `a document of more than ${limits.maxDocumentBytes} bytes`;
  }
  const values = shape.kind === 'document' ? [shape.value] : valuesIn(text);
  const all = Buffer.concat(taken);
  const chunks = resumed(all, iterator);
  return { head: { bytes: all.subarray(0, HEAD_BYTES), text, values, problem }, shape, chunks };
}

/** Whether the first line opens an array or object and leaves it open, as JSON of many lines does. */
export function opensDocument(text: string): boolean {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? '';
  return /^[{[]/.test(line) && /[{[,]$/.test(line);
}

function valuesIn(text: string): unknown[] {
  const values: unknown[] = [];
  let start = 0;
  while (start < text.length && values.length < MAX_VALUES) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const value = parsed(text.slice(start, end));
    if (value !== undefined) values.push(value);
    start = end + 1;
  }
  return values;
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a line ends here that is not blank. */
function hasLine(chunk: Uint8Array): boolean {
  return chunk.lastIndexOf(NEWLINE) > 0;
}

function decode(chunks: readonly Uint8Array[]): string {
  return new TextDecoder().decode(Buffer.concat(chunks));
}
