import { hashPart } from '../hash.ts';

const HEAD_LENGTH = 40;
/** Below an answer, the message that it quotes begins within so many lines. */
const HEAD_LINES = 64;
const SPACE = 0x20;
const TAB = 0x09;
const ANGLE = 0x3e;
const BAR = 0x7c;
const NEWLINE = 0x0a;

/** Hash of how the line at `start` begins, without what marks it as quoted; 0 for an empty line. @internal */
export function headOf(text: string, start = 0): number {
  let from = start;
  while (from < text.length && isQuoteMark(text.charCodeAt(from))) from++;
  const most = Math.min(text.length, from + HEAD_LENGTH);
  let to = from;
  while (to < most && text.charCodeAt(to) !== NEWLINE) to++;
  return to === from ? 0 : hashPart(text, from, to);
}

/** Whether a message shows below its own text the one that begins with `head`. @internal */
export function carriesBelow(text: string, head: number): boolean {
  if (head === 0) return false;
  let newline = text.indexOf('\n');
  for (let line = 1; newline >= 0 && line < HEAD_LINES; line++) {
    if (headOf(text, newline + 1) === head) return true;
    newline = text.indexOf('\n', newline + 1);
  }
  return false;
}

function isQuoteMark(code: number): boolean {
  return code === SPACE || code === TAB || code === ANGLE || code === BAR;
}
