import { hashPart } from '../../hash.ts';

const HEAD_LENGTH = 40;
/** Lines of an answer within which the quoted message begins. */
const HEAD_LINES = 64;
const SPACE = 0x20;
const TAB = 0x09;
const ANGLE = 0x3e;
const BAR = 0x7c;
const NEWLINE = 0x0a;

/** Hash of the beginning of the line at `start`, without quote marks; 0 for an empty line. */
export function headOf(text: string, start = 0): number {
  const from = afterMarks(text, start);
  const most = Math.min(text.length, from + HEAD_LENGTH);
  let to = from;
  while (to < most && text.charCodeAt(to) !== NEWLINE) to++;
  return to === from ? 0 : hashPart(text, from, to);
}

/** The first unit of a line after its quote marks; `NaN` for an empty text. */
export function firstUnitOf(text: string): number {
  return text.charCodeAt(afterMarks(text, 0));
}

/**
 * Whether a message quotes below its own text the one that begins with `head`. With `first`, its first unit, most lines need
 * not be hashed.
 */
export function carriesBelow(text: string, head: number, first: number | undefined): boolean {
  if (head === 0) return false;
  let newline = text.indexOf('\n');
  for (let line = 1; newline >= 0 && line < HEAD_LINES; line++) {
    const from = afterMarks(text, newline + 1);
    const isLike = first === undefined || text.charCodeAt(from) === first;
    if (isLike && headOf(text, from) === head) return true;
    newline = text.indexOf('\n', newline + 1);
  }
  return false;
}

function afterMarks(text: string, start: number): number {
  let from = start;
  while (from < text.length && isQuoteMark(text.charCodeAt(from))) from++;
  return from;
}

function isQuoteMark(code: number): boolean {
  return code === SPACE || code === TAB || code === ANGLE || code === BAR;
}
