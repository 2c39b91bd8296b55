import { withoutPlaces } from './places.ts';

/** An output longer than twice this is left out in the middle: what failed stands at its beginning or at its end. */
const MAX_PART = 4000;
const MAX_PART_LINES = 24;
const MAX_LINE = 600;
const MAX_CODE = 8000;

/** What colours a terminal. */
const COLOUR = /[^\P{Cc}\s]\[[\d;?]*[A-Za-z]/gu;
const LETTER = /\p{L}/u;
/** Lines that frame a block of text. */
const BOX = /^\s*[│┃|](?=\s)/;
/** Quoted source: `12 |     return total`. */
const NUMBERED = /^\s*>?\s*\d+ ?(?:[|│]|: {2})/;
/** Marks that point at something in the line above. */
const POINTER = /^[\s|│.~-]*\^[\s|│.~^-]*$/;
const PLACE = '/#';
/** A place, and what there is to say about it. */
const DIAGNOSIS = /(?:^|^\S{1,80}: ?)\/#[:)]* ?[::] ?\S/;

/** A line of an output that says what went wrong. */
export interface ErrorLine {
  readonly text: string;
  /** The same wherever and whenever it is printed: without places, ids and times. */
  readonly masked: string;
}

/**
 * The lines of `output` that say what went wrong when `code` was run.
 *
 * Stack frames and quoted source are left out; they are told by their layout: numbered, pointed at from below, or indented
 * around a place that nothing is said about. So is what stands in the code word for word. Nothing is picked from the rest:
 * which line names the error, and which stands around every error of a tool, one output alone does not tell.
 * @internal
 */
export function linesOfError(output: string, code = ''): readonly ErrorLine[] {
  const raw = excerptOf(output).map((line) => line.slice(0, MAX_LINE).replace(BOX, ' '));
  const masked = withoutPlaces(raw.join('\n')).split('\n');
  const ran = code.slice(0, MAX_CODE);
  const lines: ErrorLine[] = [];
  const echoes: ErrorLine[] = [];
  let frameIndent = Number.POSITIVE_INFINITY;
  for (const [i, line] of raw.entries()) {
    const text = line.trim();
    const sign = (masked[i] as string).trim();
    const indent = line.length - line.trimStart().length;
    if (!LETTER.test(sign) || NUMBERED.test(line) || indent > frameIndent) continue;
    const isDiagnosis = DIAGNOSIS.test(sign);
    const isFrame = indent > 0 && sign.includes(PLACE) && !isDiagnosis;
    frameIndent = isFrame ? indent : Number.POSITIVE_INFINITY;
    if (isFrame || (!isDiagnosis && POINTER.test(raw[i + 1] ?? ''))) continue;
    (ran.includes(text) ? echoes : lines).push({ text, masked: sign });
  }
  return lines.length > 0 ? lines : echoes;
}

/** Whether a line says something about a place. @internal */
export function isDiagnosis({ masked }: ErrorLine): boolean {
  return DIAGNOSIS.test(masked);
}

/** The first and the last lines, bounded in length and number. */
function excerptOf(output: string): string[] {
  if (output.length <= 2 * MAX_PART) return within(linesOf(output));
  const head = linesOf(output.slice(0, MAX_PART));
  const tail = linesOf(output.slice(-MAX_PART));
  // A line that is cut through would be another one each time, unless it is all there is.
  if (head.length > 1) head.pop();
  if (tail.length > 1) tail.shift();
  return [...head.slice(0, MAX_PART_LINES), ...tail.slice(-MAX_PART_LINES)];
}

function within(lines: readonly string[]): string[] {
  if (lines.length <= 2 * MAX_PART_LINES) return [...lines];
  return [...lines.slice(0, MAX_PART_LINES), ...lines.slice(-MAX_PART_LINES)];
}

function linesOf(text: string): string[] {
  return text
    .replace(COLOUR, '')
    .split(/\r\n|[\n\r]/)
    .filter((line) => line.trim() !== '');
}
