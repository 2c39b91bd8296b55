import { hashText } from './hash.ts';
import { isPlain, marked } from './to-json.ts';

/** Shorter texts are kinds and settings, such as `image/png`. */
const MIN_DATA = 16;
const SPACE = /\s/;
/** Base64 in lines, as mail has it. */
const LINES = /^(?:[\w+/-]{60,80}\r?\n)+[\w+/-]{0,80}={0,2}\s{0,4}$/;
const BREAKS = /\s+/g;
/** What stands before the data of an address that holds it. */
const DATA_URL = /^data:[^,]{0,200},/;
const TYPE = /^[\w.:/+-]{1,64}$/;
/** As many digits as no random id has, which would not count. */
const RANGE = 1_000_000_000;
const MAX_BYTE = 255;
/** So many bytes are written at once: groups of three, and few enough for one call. */
const CHUNK = 24_576;
const UNREAD = {};

/**
 * A part of content that is no text, as a text: its type, and a number for its data, such as `[image #20391]`. So pictures, audio and
 * files with the same data are equal, and all others differ, whatever they are called and wherever they lie. Where a part only names
 * its data, the name counts. Data that cannot be read has a number of its own each time. For taps and readers that put content into
 * signals.
 */
export function partMark(part: unknown): string {
  try {
    const { type } = Object(part) as { readonly type?: unknown };
    const name = typeof type === 'string' && TYPE.test(type) ? type : 'part';
    const data = dataIn(part);
    return data === '' ? `[${name}]` : numbered(name, data);
  } catch {
    return numbered('part', marked(UNREAD));
  }
}

function numbered(name: string, data: string): string {
  return `[${name} #${hashText(data) % RANGE}]`;
}

/** The longest text without white space, or the longest bytes. */
function dataIn(part: unknown): string {
  let longest = '';
  // Each object once, wherever it is: it may hold itself, and recur as often as it takes to never end.
  const objects = new Set([part]);
  for (const value of objects) {
    // Listing what is in bytes takes many times their size.
    const fields = ArrayBuffer.isView(value) ? [] : Object.values(Object(value));
    const data = typeof value === 'string' ? textIn(value) : bytesIn(value, fields);
    if (data.length > longest.length) longest = data;
    if (data !== '' || typeof value !== 'object' || value === null) continue;
    if (fields.length === 0 && !Array.isArray(value) && !isPlain(value)) return hiddenIn(value);
    for (const field of fields) {
      if (typeof field === 'string' || typeof field === 'object') objects.add(field);
    }
  }
  return longest;
}

function textIn(text: string): string {
  if (text.length < MIN_DATA) return '';
  if (!SPACE.test(text)) return text.replace(DATA_URL, '');
  return LINES.test(text) ? text.replace(BREAKS, '') : '';
}

/** What an object without fields holds, such as an address; without a form of its own, it equals no other one. */
function hiddenIn(value: object): string {
  const { toJSON } = value as { readonly toJSON?: unknown };
  return typeof toJSON === 'function' ? String(toJSON.call(value)) : marked(value);
}

/** Bytes as base64, as they arrive elsewhere: of a buffer, or of a list that one was written as. */
function bytesIn(value: unknown, fields: readonly unknown[]): string {
  if (ArrayBuffer.isView(value)) {
    return base64Of(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  const type = Object.prototype.toString.call(value);
  if (type === '[object ArrayBuffer]' || type === '[object SharedArrayBuffer]') {
    return base64Of(new Uint8Array(value as ArrayBuffer));
  }
  const isBytes = fields.length >= MIN_DATA && fields.every(isByte);
  return isBytes ? base64Of(Uint8Array.from(fields as number[])) : '';
}

function isByte(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_BYTE;
}

function base64Of(bytes: Uint8Array): string {
  const chunks: string[] = [];
  for (let from = 0; from < bytes.length; from += CHUNK) {
    chunks.push(btoa(String.fromCharCode(...bytes.subarray(from, from + CHUNK))));
  }
  return chunks.join('');
}
