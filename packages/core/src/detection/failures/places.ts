const UUID = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi;
/** A hash, an address or a random id. */
export const ID: RegExp =
  /0x[\da-f]+|\b(?=[\da-f]*\d)[\da-f]{7,}\b|(?<![a-z\d])(?=[a-z]*\d)[a-z\d]{16,}(?![a-z\d])/gi;
/** A date or a time that would look like a place. */
const CLOCK =
  /\d(?<![\w.:@~\\/-]\d)(?:\d{3}-\d\d-\d\d[\dTZ:._+-]*|\d?:\d\d:\d\d(?:[.,]\d+)?)(?!\w)/g;
/**
 * Points in time, durations with symbols of units, and fractions of a unit in Han. Looking back only after a digit makes it
 * fast.
 */
const MOMENT =
  /\d(?<!\d\d)(?:\d{3}-\d\d-\d\d[\dTZ:._+-]*|\d?:\d\d:\d\d(?:[.,]\d+)?|(?<!\.\d)\d*(?:\.\d+)? ?[mnµ]?s\b|\d*\.\d+ ?\p{sc=Han}|(?<=_[mnu]?s["']?[:=]? ?\d)\d*(?:\.\d+)?)|\bline \d+/gu;
/** A file with a position, or anything in a temporary directory. */
const PLACE =
  /(?<![\w.@~\\/-])(?:[\w.@~-]*[\\/])*(?:[\w.@~-]+(?:[:(]\d+(?:[:,]\d+)*(?!\w)\)?|", line \d+)|te?mp[\\/][\w.@~\\/-]+)/g;
/** The beginning of shell errors: `script.sh: line 3:`, `script.sh: Zeile 3:`, `/bin/sh: 1:`. */
const SHELL_PLACE = /^(?:[\w.@~/-]{1,200}|\/#): ?\p{L}{0,20} ?\d{1,9} ?\p{L}{0,20} ?(?=[::])/u;
const SPACE = /\s+/g;
/** A line without this contains none of the above. */
const VARIABLE = /\d|te?mp[\\/]|0x/;
/** A number after a colon or bracket: a port, a process, a field that changes. */
const TIED_NUMBER = /[:(]\d+(?:[:,]\d+)*\)?/g;

/** A number that is not part of a name or a code. */
const NUMBER = /(?<![\p{L}\p{N}_])\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])/gu;

const QUOTED = /(?<![\p{L}\d])["'`«»“”„‘’「『](?:[^"'`«»“”„‘’「」『』\n]*)["'`«»“”‘’」』]/gu;

/** A line without places, which become `/#`, and without ids and times, which become `#`. */
export function withoutPlaces(line: string): string {
  if (!VARIABLE.test(line)) return line.replace(SPACE, ' ');
  return line
    .replace(UUID, '#')
    .replace(CLOCK, '#')
    .replace(PLACE, '/#')
    .replace(ID, '#')
    .replace(MOMENT, '#')
    .replace(SPACE, ' ')
    .replace(SHELL_PLACE, '/#');
}

/** A line without numbers after a colon or bracket. */
export function withoutTiedNumbers(line: string): string {
  return line.replace(TIED_NUMBER, '#');
}

/** A line without separate numbers. */
export function withoutNumbers(line: string): string {
  return line.replace(NUMBER, '#');
}

/** A line without quotations and numbers. */
export function withoutNames(line: string): string {
  return line.replace(QUOTED, '?').replace(/\d+/g, '#').toLowerCase();
}
