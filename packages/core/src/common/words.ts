const WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ORDINALS = [
  'first',
  'second',
  'third',
  'fourth',
  'fifth',
  'sixth',
  'seventh',
  'eighth',
  'ninth',
  'tenth',
];
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
const ORDINAL_RULES = new Intl.PluralRules('en', { type: 'ordinal' });
const DIGITS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
/** Milliseconds of each unit, and from how many of them on it is used. */
const UNITS = [
  ['h', 3_600_000, 7_200_000],
  ['min', 60_000, 120_000],
  ['s', 1000, 1000],
] as const;

/** A count in a sentence: `three`, `12`, `1,024`. */
export function inWords(count: number): string {
  return WORDS[count] ?? inDigits(count);
}

/** A number with at most two decimals: `1,024`, `0.5`. */
export function inDigits(value: number): string {
  return DIGITS.format(value);
}

/** `once`, `twice`, `three times`. */
export function times(count: number): string {
  if (count === 1) return 'once';
  return count === 2 ? 'twice' : `${inWords(count)} times`;
}

/** `third`, `21st`. */
export function ordinal(count: number): string {
  const suffix = SUFFIXES[ORDINAL_RULES.select(count)] ?? 'th';
  return ORDINALS[count - 1] ?? `${inDigits(count)}${suffix}`;
}

/** `1 message`, `30 messages`. */
export function counted(count: number, thing: string): string {
  return `${inDigits(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

/** `250 ms`, `90 s`, `30 min`, `2.5 h`. */
export function duration(ms: number): string {
  const [unit, size] = UNITS.find(([, , from]) => ms >= from) ?? ['ms', 1];
  return `${inDigits(ms / size)} ${unit}`;
}
