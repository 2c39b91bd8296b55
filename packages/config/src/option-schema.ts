import { FINDING_KINDS } from '@teamfuse/core/detectors';
import {
  type AnyTable,
  BREAKER_OPTIONS,
  type ChoiceOption,
  expectedName,
  type NestedOption,
  type OptionSpec,
} from '@teamfuse/core/options';
import { z } from 'zod';
import {
  dollars,
  flag,
  list,
  milliseconds,
  number,
  oneOf,
  switchable,
  table,
  text,
} from './fields.ts';

/** The options of a table that are data. The unit of a number is the end of its name. */
function shapeOf(options: AnyTable): z.core.$ZodLooseShape {
  const data = Object.entries(options).filter(([, { type }]) => type !== 'code');
  const fields = data.map(([name, spec]) => {
    const field = fieldOf(name, spec);
    return [name, spec.isRequired ? field : field.exactOptional()];
  });
  return Object.fromEntries(fields);
}

function fieldOf(name: string, spec: OptionSpec): z.ZodType {
  switch (spec.type) {
    case 'integer':
    case 'number':
      if (name.endsWith('Ms')) return milliseconds();
      return name.includes('Usd') ? dollars() : number();
    case 'flag':
      return flag();
    case 'choice':
      return spec.perKind ? perKind(spec) : oneOf(spec.values);
    case 'text':
      return text();
    case 'texts':
      return list(text(), 'a list of texts');
    case 'judge':
      return judge();
    case 'code':
      throw new TypeError(`option ${name} is no data`);
    default:
      return nested(spec);
  }
}

function nested({ type, documentedBy, of, isSwitch }: NestedOption): z.ZodType {
  const one = tableOf(documentedBy, of);
  if (type === 'tables') return list(one, 'a list of tables');
  if (type === 'named') return z.record(z.string(), one, { error: 'tables by name' });
  return isSwitch ? switchable(one) : one;
}

const tables = new Map<AnyTable, z.ZodType>();

/** One schema for each table, in however many places it stands. */
function tableOf(documentedBy: string, options: AnyTable): z.ZodType {
  const known = tables.get(options) ?? table(documentedBy, shapeOf(options));
  tables.set(options, known);
  return known;
}

function perKind({ values }: ChoiceOption): z.ZodType {
  const misnamed: z.core.$ZodErrorMap = ({ code, input }) =>
    code === 'invalid_key'
      ? expectedName(String(input), [...FINDING_KINDS, 'custom:…'], 'kind')
      : 'a table of kinds';
  const kind = z.union([z.enum(FINDING_KINDS), z.templateLiteral(['custom:', z.string()])]);
  return z.union([oneOf(values), z.partialRecord(kind, oneOf(values), { error: misnamed })], {
    error: `${values.join(', ')}, or a table with one of them for each kind`,
  });
}

function judge(): z.ZodType {
  const error = 'true, false, or the name of a model';
  return z.union([z.boolean(), z.string().min(1, { error })], { error });
}

const { budget } = BREAKER_OPTIONS;

/** The options of a breaker that are data. */
export const breakerOptions: z.core.$ZodLooseShape = shapeOf(BREAKER_OPTIONS);

/** What may be spent out of one purse. */
export const purse: z.ZodType = nested((budget as NestedOption).of.perAgent as NestedOption);
