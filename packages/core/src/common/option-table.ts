import { InvalidOptionError } from './errors.ts';
import { isRecord } from './json.ts';
import { checkNames, finite, flag, integer, namesOf, orInvalid, textOf } from './options.ts';

/** A number with its range. */
export interface NumberOption {
  readonly type: 'integer' | 'number';
  readonly min: number;
  readonly max?: number;
  /** An earlier option of the table that neither it nor its default may exceed. */
  readonly atMost?: string;
  readonly default?: number;
  /** Whether `sensitivity` multiplies the default. */
  readonly isScaled?: true;
  /** Values that `teamfuse tune` tries. */
  readonly tried?: readonly number[];
}

interface FlagOption {
  readonly type: 'flag';
  readonly default?: boolean;
}

/** One of a few words; with `perKind`, also one for each kind of finding. */
export interface ChoiceOption {
  readonly type: 'choice';
  readonly values: readonly string[];
  readonly perKind?: true;
  readonly default?: string;
  readonly tried?: readonly string[];
}

/** A text, or a list of texts. */
interface TextOption {
  readonly type: 'text' | 'texts';
  readonly default?: string | readonly string[];
}

/** Nested options: one table, a list of tables, tables by name, or a judge with options that only code can set. */
export interface NestedOption {
  readonly type: 'table' | 'tables' | 'named' | 'judge';
  /** The interface that documents them. */
  readonly documentedBy: string;
  readonly of: AnyTable;
  /** Whether `false` switches all of it off. */
  readonly isSwitch?: true;
  /** Whether code may give a function or an object with methods instead. */
  readonly orCode?: true;
  readonly default?: never;
}

/** A function or an object with methods, which a file cannot contain. */
interface CodeOption {
  readonly type: 'code';
  readonly default?: never;
}

/** The declaration of an option. */
export type OptionSpec = (
  | NumberOption
  | FlagOption
  | ChoiceOption
  | TextOption
  | NestedOption
  | CodeOption
) & { readonly isRequired?: true };

/** Declarations by the names of the options. */
export type AnyTable = Readonly<Record<string, OptionSpec>>;

type SpecOf<V> = [V] extends [number]
  ? NumberOption
  : [V] extends [boolean]
    ? FlagOption
    : [V] extends [string]
      ? ChoiceOption | TextOption
      : [V] extends [readonly string[]]
        ? TextOption
        : ChoiceOption | TextOption | NestedOption | CodeOption;

/**
 * The declarations of all options of an interface, from which they are checked, documented and read from files. Those in
 * `Undefined` have no default; all others need one.
 */
export type OptionTable<T, Undefined extends keyof T = never> = {
  readonly [K in keyof T]-?: SpecOf<Exclude<T[K], undefined>> &
    (K extends Undefined
      ? { readonly default?: never }
      : Record<never, never> extends Pick<T, K>
        ? { readonly default: Exclude<T[K], undefined> }
        : { readonly isRequired: true });
};

/** Options with their defaults. */
export type WithDefaults<T, Undefined extends keyof T = never> = {
  readonly [K in Exclude<keyof T, Undefined>]-?: Exclude<T[K], undefined>;
} & Pick<T, Undefined>;

/**
 * Checks options against their table and fills in the defaults; `factor` multiplies those that `sensitivity` scales. For
 * packages that build on this one.
 * @throws {@link InvalidOptionError} naming the option, the expected and the received value.
 */
export function readOptions<T extends object, Undefined extends keyof T = never>(
  path: string,
  given: T,
  table: OptionTable<T, Undefined>,
  factor = 1,
): WithDefaults<T, Undefined> {
  checkNames(path, given, table);
  const values = given as Readonly<Record<string, unknown>>;
  const read: Record<string, unknown> = {};
  for (const name of Object.keys(table)) {
    const spec = boundBy(read, (table as AnyTable)[name] as OptionSpec);
    const value = values[name];
    if (value === undefined && spec.isRequired === undefined) {
      const fallback = defaultOf(spec, factor);
      if (fallback !== undefined) read[name] = fallback;
    } else {
      read[name] = checked(path === '' ? name : `${path}.${name}`, value, spec);
    }
  }
  return read as WithDefaults<T, Undefined>;
}

/** A declaration with the maximum that another option sets. */
function boundBy(read: Readonly<Record<string, unknown>>, spec: OptionSpec): OptionSpec {
  if (!('atMost' in spec) || spec.atMost === undefined) return spec;
  return { ...spec, max: read[spec.atMost] as number };
}

/** The default; a scaled count stays a whole number of at least 2. */
function defaultOf(spec: OptionSpec, factor: number): unknown {
  if (spec.type !== 'integer' && spec.type !== 'number') return spec.default;
  if (spec.default === undefined) return undefined;
  const scaled = spec.isScaled ? factor * spec.default : spec.default;
  const isCount = spec.isScaled && spec.type === 'integer';
  const whole = isCount ? Math.max(2, Math.round(scaled)) : scaled;
  return Math.min(whole, spec.max ?? whole);
}

function readNamed(option: string, value: unknown, table: AnyTable): unknown {
  const expected = 'an object by name';
  return orInvalid(option, expected, value, () => {
    if (!isRecord(value)) throw new InvalidOptionError(option, expected, value);
    const read = Object.entries(value).map(([name, one]) => [
      name,
      readOptions(`${option}.${name}`, one as object, table as OptionTable<object>),
    ]);
    return Object.fromEntries(read);
  });
}

/** Checks one option; lists of tables, judges and code are checked where they are used. */
function checked(option: string, value: unknown, spec: OptionSpec): unknown {
  switch (spec.type) {
    case 'integer':
      return integer(option, value as number, spec.min, spec.max);
    case 'number':
      return finite(option, value as number, spec.min, spec.max);
    case 'flag':
      return flag(option, value as boolean);
    case 'choice':
      if (spec.perKind || spec.values.includes(value as string)) return value;
      throw new InvalidOptionError(option, spec.values.join(', '), value);
    case 'text':
      return textOf(option, value as string);
    case 'texts':
      return namesOf(option, value as readonly string[]);
    case 'table':
      // Code may do what a table says.
      if (spec.orCode && typeof value === 'function') return value;
      return readOptions<object>(option, value as object, spec.of as OptionTable<object>);
    case 'named':
      return readNamed(option, value, spec.of);
    default:
      return value;
  }
}
