import { hashText } from './hash.ts';

/** Parts are no deeper; a recording may hold anything. */
const MAX_DEPTH = 4;
/** Shorter texts are kinds and settings, such as `image/png`. */
const MIN_DATA = 16;
const SPACE = /\s/;
/** What stands before the data of an address that holds it. */
const DATA_URL = /^data:[^,]{0,200},/;
/** As many digits as no random id has, which would not count. */
const RANGE = 1_000_000_000;

/**
 * A part of content that is no text, as a text: its type, and a number for its data, such as `[image #20391]`. So pictures, audio and
 * files with the same data are equal, and all others differ, whatever they are called and wherever they lie. Where a part only names
 * its data, the name counts. For taps and readers that put content into signals.
 */
export function partMark(part: unknown): string {
  try {
    return markOf(part);
  } catch {
    // It cannot be read.
    return '[part]';
  }
}

function markOf(part: unknown): string {
  const { type } = Object(part) as { readonly type?: unknown };
  const name = typeof type === 'string' ? type : 'part';
  const data = dataIn(part, 0);
  return data === '' ? `[${name}]` : `[${name} #${hashText(data) % RANGE}]`;
}

/** The longest text without white space, or the longest bytes. */
function dataIn(value: unknown, depth: number): string {
  if (typeof value === 'string') return isData(value) ? value.replace(DATA_URL, '') : '';
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return '';
  if (ArrayBuffer.isView(value)) return bytesOf(value);
  let longest = '';
  for (const inner of Object.values(value)) {
    const data = dataIn(inner, depth + 1);
    if (data.length > longest.length) longest = data;
  }
  return longest;
}

function isData(text: string): boolean {
  return text.length >= MIN_DATA && !SPACE.test(text);
}

/** Bytes as base64, as they arrive elsewhere. */
function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  const bytes = new Uint8Array(buffer, byteOffset, byteLength);
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}
