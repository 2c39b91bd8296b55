import { distance } from 'fastest-levenshtein';

/** The names of all options of a type. */
export type OptionNames<T> = Readonly<Record<keyof Required<T>, true>>;

/** What to write instead of options that do not exist, by their names. */
export type OptionAdvice = Readonly<Record<string, string>>;

/** An option that does not exist. */
export interface UnknownOption {
  readonly option: string;
  /** What to write instead, as the end of a sentence. */
  readonly advice: string;
}

/** Finds the first option that does not exist; `undefined` if there is none. */
export function unknownOption(
  options: object,
  names: Readonly<Record<string, true>>,
  advice: OptionAdvice = {},
): UnknownOption | undefined {
  const option = Object.keys(options).find((name) => !Object.hasOwn(names, name));
  if (option === undefined) return undefined;
  return { option, advice: adviceFor(option, Object.keys(names), advice) };
}

/** Names so far apart are not the same one misspelt. */
const MAX_TYPOS = 3;

function adviceFor(option: string, names: readonly string[], advice: OptionAdvice): string {
  if (Object.hasOwn(advice, option)) return advice[option] as string;
  const camelCase = option.replace(/_+([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  if (names.includes(camelCase)) return `in TypeScript it is '${camelCase}'`;
  const [nearest] = names
    .map((name) => ({ name, typos: distance(camelCase.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.typos - b.typos);
  const isNear = nearest && nearest.typos <= Math.min(MAX_TYPOS, nearest.name.length / 2);
  if (isNear) return `did you mean '${nearest.name}'?`;
  return names.length === 0 ? 'there are none' : `the options are ${names.join(', ')}`;
}
