import { type AnyTable, BREAKER_OPTIONS, type OptionSpec } from '@teamfuse/core/options';
import { z } from 'zod';
import { policySchema } from '../../src/policy-schema.ts';
import { type OptionDoc, readDocs } from './doc-comments.ts';

/** As much of a JSON Schema as is written here. */
export interface JsonSchema {
  readonly $ref?: string;
  $schema?: string;
  title?: string;
  description?: string;
  default?: unknown;
  type?: string;
  minimum?: number;
  maximum?: number;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | false;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const docs = readDocs();

/** The comment of an option; the tables of a file and of a team hold the options of a breaker. */
export function docOf(table: string, option: string): OptionDoc | undefined {
  const own = docs(table, option) ?? FILE_DOCS[`${table}.${option}`];
  return own ?? docs('BreakerOptions', option) ?? FILE_DOCS[option];
}

/** What only a file has. */
const FILE_DOCS: Readonly<Record<string, OptionDoc>> = {
  preset: {
    text: 'Options under one name, on which everything else in this file lies: [what they are](#presets).',
  },
  agents: { text: 'What single agents may spend, by their names; the same as `budget.agents`.' },
  teams: { text: 'What differs for single teams, by their names: all of these options.' },
  gateway: { text: 'What `teamfuse gateway` has to know.' },
  keys: {
    text: 'The team of each API key that belongs to one: the first 12 or more digits of the SHA-256 of the key, or the environment variable that holds it, with the name of the team.',
  },
  store: {
    text: 'Where several gateways keep one budget: `redis://…`, `postgres://…`, or the path of a file on one machine. `--store` and `TEAMFUSE_STORE` come first. An address with a password belongs into the environment.',
  },
  bounds: {
    text: 'How much a request may hold; what holds more is refused with status 400. `--bound` comes first.',
  },
  'GatewayBounds.maxBytes': {
    text: 'Most bytes of a body, both as it was sent and unpacked.',
    defaultValue: '67_108_864',
  },
  'GatewayBounds.maxMessages': { text: 'Most messages of a history.', defaultValue: '50_000' },
  'GatewayBounds.maxParts': {
    text: 'Most parts of a body together: each field and each entry of a list, at any depth.',
    defaultValue: '500_000',
  },
  'GatewayBounds.maxDepth': {
    text: 'How deep lists and objects may lie in each other, up to 1,000.',
    defaultValue: '200',
  },
};

/** The schema of a `teamfuse.toml`, with what the comments of the options say. */
export function policyJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(policySchema, { io: 'input' }) as JsonSchema;
  schema.title = 'teamfuse.toml';
  for (const [name, table] of Object.entries(schema.$defs ?? {})) describe(name, table);
  return schema;
}

function describe(table: string, { properties = {} }: JsonSchema): void {
  for (const [option, schema] of Object.entries(properties)) {
    const doc = docOf(table, option);
    if (doc === undefined) throw new Error(`option ${option} of ${table} has no comment`);
    schema.description = doc.text;
    const spec = specOf(table, option);
    if (spec?.default !== undefined) schema.default = spec.default;
    if (spec?.type !== 'integer' && spec?.type !== 'number') continue;
    for (const one of schema.anyOf ?? [schema]) {
      if (one.type !== 'number') continue;
      one.type = spec.type;
      one.minimum = spec.min;
      if (spec.max !== undefined) one.maximum = spec.max;
    }
  }
}

/** What an option is declared as. */
export function specOf(table: string, option: string): OptionSpec | undefined {
  return TABLES.get(table)?.[option] ?? (BREAKER_OPTIONS as AnyTable)[option];
}

const bound = (value: number) => ({ type: 'integer', min: 1, default: value }) as const;

/** The tables of core and those of a gateway, by the interfaces that document them. */
export const TABLES: ReadonlyMap<string, AnyTable> = new Map([
  ...tablesIn('BreakerOptions', BREAKER_OPTIONS),
  [
    'GatewayBounds',
    {
      maxBytes: bound(67_108_864),
      maxMessages: bound(50_000),
      maxParts: bound(500_000),
      maxDepth: bound(200),
    },
  ],
]);

function tablesIn(name: string, table: AnyTable): readonly (readonly [string, AnyTable])[] {
  const nested = Object.values(table).flatMap((spec) =>
    'of' in spec ? tablesIn(spec.documentedBy, spec.of) : [],
  );
  return [[name, table], ...nested];
}

/** The value of a default that is no words. */
export function literal(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (/^[\d_.]+$/.test(text)) return Number(text.replaceAll('_', ''));
  if (text === 'true' || text === 'false') return text === 'true';
  return /^'(.*)'$/.exec(text)?.[1];
}
