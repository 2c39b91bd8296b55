/** Longer texts get a temporary buffer. */
const MAX_KEPT = 65_536;
/** Shorter texts are written unit by unit, since encoding has a fixed cost. */
const MIN_ENCODED = 32;
const SPACE = 0x20;

const ENCODER = new TextEncoder();
/** ASCII in lower case. */
const LOWER: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  String.fromCharCode(code).toLowerCase().charCodeAt(0),
);

/** A text in lower case as units. */
export interface Units {
  /** The UTF-16 units of the text and a space, for looking ahead. */
  readonly units: Uint16Array;
  readonly length: number;
  /** The text of the units, of the same length, maybe with capital letters. */
  readonly text: string;
}

let keptUnits: Uint16Array = new Uint16Array(1024);
let keptBytes: Uint8Array = new Uint8Array(1024);

/**
 * Writes a text in lower case to an array, which is valid until the next call. Reading an array is several times as fast as
 * reading a string.
 */
export function unitsOf(text: string): Units {
  const isShort = text.length < MIN_ENCODED;
  return (isShort ? undefined : unitsOfAscii(text)) ?? unitsOfAny(text.toLowerCase());
}

/** Most texts are ASCII, which can be encoded at once. */
function unitsOfAscii(text: string): Units | undefined {
  const { length } = text;
  if (length >= MAX_KEPT) return undefined;
  const units = roomFor(length + 1);
  const bytes = keptBytes;
  const { read, written } = ENCODER.encodeInto(text, bytes);
  if (read !== length || written !== length) return undefined;
  for (let i = 0; i < length; i++) units[i] = LOWER[bytes[i] as number] as number;
  units[length] = SPACE;
  return { units, length, text };
}

function unitsOfAny(text: string): Units {
  const { length } = text;
  const units = roomFor(length + 1);
  for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
  units[length] = SPACE;
  return { units, length, text };
}

function roomFor(length: number): Uint16Array {
  if (length <= keptUnits.length) return keptUnits;
  if (length > MAX_KEPT) return new Uint16Array(length);
  const room = 2 ** (32 - Math.clz32(length - 1));
  keptUnits = new Uint16Array(room);
  keptBytes = new Uint8Array(room);
  return keptUnits;
}

/** Where the blanks before `at` begin. */
export function blankBefore(units: Uint16Array, at: number): number {
  let start = at;
  while (start > 0 && units[start - 1] === SPACE) start--;
  return start;
}

/** Where the blanks from `at` on end. */
export function blankAfter(units: Uint16Array, at: number): number {
  let end = at;
  while (units[end] === SPACE) end++;
  return end;
}

/** Where the text begins after white space. */
export function startOf(units: Uint16Array, end: number): number {
  let start = 0;
  while (start < end && (units[start] as number) <= SPACE) start++;
  return start;
}

/** Where the text ends before white space. */
export function endOf(units: Uint16Array, length: number): number {
  let end = length;
  while (end > 0 && (units[end - 1] as number) <= SPACE) end--;
  return end;
}
