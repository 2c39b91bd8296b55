import { ID, withoutPlaces } from './places.ts';

/** An output longer than twice this is cut in the middle: errors are at its beginning or end. */
const MAX_PART = 4000;
const MAX_PART_LINES = 24;
const MAX_LINE = 600;
const MAX_CODE = 8000;

/** Terminal colours. */
const COLOUR = /[^\P{Cc}\s]\[[\d;?]*[A-Za-z]/gu;
const LETTER = /\p{L}/u;
/** Lines that frame a block of text. */
const BOX = /^\s*[│┃|](?=\s)/;
/** Quoted source: `12 |     return total`. */
const NUMBERED = /^\s*>?\s*\d+ ?(?:[|│]|: {2})/;
/** Marks that point at the line above. */
const POINTER = /^[\s|│.~-]*\^[\s|│.~^-]*$/;
const PLACE = '/#';
/** A temporary folder. */
const TEMPORARY = /\S*te?mp[\\/][^\\/\s)]+/g;
const DIRECTORY = /\S*[\\/]/g;
const DIGITS = /\d+/g;
const FIRST_LINE = /^[^\n\r]*[\n\r]/;
const LAST_LINE = /[\n\r][^\n\r]*$/;
/** The start of a position in a file. */
const POSITION = /[:(]\d|", line \d/;
/** A place, and a message about it. */
const DIAGNOSIS = /(?:^|^\S{1,80}: ?)\/#[:)]* ?[::] ?\S/;

/** A line about an error. */
export interface ErrorLine {
  readonly text: string;
  /** The line without places, ids and times. */
  readonly masked: string;
}

/** The lines of an output about an error. */
export interface ErrorLines {
  readonly lines: readonly ErrorLine[];
  /** The first line about a place, next to it, below it, or above the stack that leads to it. */
  readonly subject: ErrorLine | undefined;
  /** How many places have a message. */
  readonly diagnoses: number;
  /** The files and functions named, without lines and directories; may be empty. */
  readonly places: string;
}

/**
 * The lines of `output` about the error of running `code`.
 *
 * Stack frames and quoted source are left out, recognized by their layout: numbered, pointed at from below, or indented around
 * a place without a message. So are lines that occur in the code. All other lines stay, since one output alone does not show
 * which of them name the error.
 */
export function linesOfError(output: string, code = ''): ErrorLines {
  const ran = code.slice(0, MAX_CODE);
  const lines: ErrorLine[] = [];
  const echoes: ErrorLine[] = [];
  let subject: ErrorLine | undefined;
  let diagnoses = 0;
  const places = new Set<string>();
  let isAnnounced = false;
  for (const { text, masked, type } of layOut(output)) {
    if (type !== 'text') places.add(placeIn(type === 'frame' ? text : beforeText(text)));
    if (type === 'frame') {
      const above = lines.at(-1);
      if (above && !isHeader(above.masked)) subject ??= above;
      continue;
    }
    const line = { text, masked };
    if (ran.includes(text)) {
      echoes.push(line);
      continue;
    }
    lines.push(line);
    if (type === 'diagnosis') diagnoses++;
    if ((isAnnounced || type === 'diagnosis') && !isHeader(masked)) subject ??= line;
    isAnnounced = isHeader(masked) && masked.includes(PLACE);
  }
  return {
    lines: lines.length > 0 ? lines : echoes,
    subject,
    diagnoses,
    places: [...places].sort().join('\n'),
  };
}

/** A line with a place, without what changes when lines move or folders are recreated. */
function placeIn(text: string): string {
  return text.replace(TEMPORARY, '#').replace(DIRECTORY, '').replace(ID, '#').replace(DIGITS, '#');
}

/** The part before the text of a diagnosis. */
function beforeText(text: string): string {
  return text.slice(0, Math.max(0, text.search(POSITION)));
}

interface LaidOutLine extends ErrorLine {
  readonly type: 'text' | 'diagnosis' | 'frame';
}

/** The lines with their types by layout, without quoted source. */
function* layOut(output: string): Generator<LaidOutLine> {
  const raw = excerptOf(output).map((line) => line.slice(0, MAX_LINE).replace(BOX, ' '));
  let frameIndent = Number.POSITIVE_INFINITY;
  for (const [i, line] of raw.entries()) {
    const text = line.trim();
    const indent = line.length - line.trimStart().length;
    if (indent > frameIndent || NUMBERED.test(line)) continue;
    const masked = withoutPlaces(text);
    if (!LETTER.test(masked)) continue;
    const isDiagnosis = DIAGNOSIS.test(masked);
    const isFrame = indent > 0 && !isDiagnosis && masked.includes(PLACE);
    frameIndent = isFrame ? indent : Number.POSITIVE_INFINITY;
    const isQuoted = !isDiagnosis && POINTER.test(raw[i + 1] ?? '');
    if (isFrame) yield { text, masked, type: 'frame' };
    else if (!isQuoted) yield { text, masked, type: isDiagnosis ? 'diagnosis' : 'text' };
  }
}

/** Whether the content of a line follows below it. */
function isHeader(masked: string): boolean {
  return /[::]$/.test(masked);
}

/** The first and the last lines, bounded in length and number. */
function excerptOf(output: string): string[] {
  const lines = linesOf(output.length > 2 * MAX_PART ? endsOf(output) : output);
  return lines.filter((_, i) => i < MAX_PART_LINES || i >= lines.length - MAX_PART_LINES);
}

/** The beginning and the end of `output` without the lines that are cut, which would differ each time. */
function endsOf(output: string): string {
  const head = output.slice(0, MAX_PART).replace(LAST_LINE, '');
  const tail = output.slice(-MAX_PART).replace(FIRST_LINE, '');
  return `${head}\n${tail}`;
}

function linesOf(text: string): string[] {
  return text
    .replace(COLOUR, '')
    .split(/\r\n|[\n\r]/)
    .filter((line) => line.trim() !== '');
}
