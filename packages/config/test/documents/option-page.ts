import { PRESETS } from '@teamfuse/core';
import { type AnyTable, BREAKER_OPTIONS } from '@teamfuse/core/options';
import { docOf, type JsonSchema, policyJsonSchema, specOf } from './json-schema.ts';

const HEAD = `# Options

All options of a breaker, under the same names in code (\`new Breaker({ maxMessages: 60 })\`) and in a [\`teamfuse.toml\`](../packages/config). [Tuning](tuning.md) says which one answers what happened.

Options that hold others have a section below. A limit that you set stops the team without asking a judge. Numbers are whole unless \`number\` stands there. A file takes milliseconds with units
(\`cooldownMs = "15m"\`), and money with its sign (\`maxUsd = "$6"\`).

\`npm run docs\` writes this page.
`;

/** The options that each preset stands for. */
function presets(): string {
  const lines = Object.entries(PRESETS).map(([name, options]) => {
    const values = leaves('', options).map(([option, value]) => `\`${option}: ${value}\``);
    return `- \`${name}\`: ${values.join(', ')}`;
  });
  const text = `## Presets

\`preset = "classic"\` in a file, \`new Breaker({ ...PRESETS.classic })\` in code. A budget in dollars needs [prices](guides/budgets.md).
`;
  return [text, ...lines, ''].join('\n');
}

function leaves(path: string, options: object): readonly (readonly [string, unknown])[] {
  return Object.entries(options).flatMap(([name, value]) =>
    typeof value === 'object' ? leaves(`${path}${name}.`, value) : [[`${path}${name}`, value]],
  );
}

/** Options that are no data, with their places. */
function codeOnlyIn(path: string, name: string, table: AnyTable): string[] {
  return Object.entries(table).flatMap(([option, spec]) => {
    if (spec.type === 'judge') {
      return Object.keys(spec.of).map((inner) =>
        codeRow(`judge.${inner}`, spec.documentedBy, inner),
      );
    }
    if ('of' in spec) {
      const steps = { table: '', tables: '[]', named: '.<name>' }[spec.type];
      return codeOnlyIn(`${path}${option}${steps}.`, spec.documentedBy, spec.of);
    }
    if (spec.type !== 'code') return [];
    return [codeRow(`${path}${option}`, name, option)];
  });
}

function codeRow(path: string, table: string, option: string): string {
  const doc = docOf(table, option);
  return `| \`${path}\` | ${doc?.text} | ${shownDefault(doc?.defaultValue)} |`;
}

/** The page with all options: meaning, value, default. */
export function optionPage(): string {
  const schema = policyJsonSchema();
  return [
    HEAD,
    presets(),
    ...sections(schema),
    '## Only in code\n',
    '| Option | Meaning | Default |\n|---|---|---|',
    ...codeOnlyIn('', 'BreakerOptions', BREAKER_OPTIONS),
    '',
  ].join('\n');
}

/** The places of each table, by the name of its definition: those in the first place of the table that they are in. */
function placesIn(root: JsonSchema): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>([['PolicyFile', ['']]]);
  const look = (name: string, path: string): void => {
    const { properties = {} } = root.$defs?.[name] ?? {};
    for (const [option, schema] of Object.entries(properties)) {
      const [at, definition] = tableIn(path === '' ? option : `${path}.${option}`, schema) ?? [];
      // A team has all options once more.
      if (at === undefined || definition === undefined || (option === 'teams' && path === ''))
        continue;
      const known = places.get(definition);
      if (known !== undefined) known.push(at);
      else {
        places.set(definition, [at]);
        look(definition, at);
      }
    }
  };
  look('PolicyFile', '');
  return places;
}

/** A section for each table. */
function sections(root: JsonSchema): string[] {
  return [...placesIn(root)].flatMap(([name, [first = '', ...others]]) => {
    const heading = first === '' ? '## For all teams' : `## \`${first}\``;
    const same = others.map((place) => `\`${place}\``).join(', ');
    const also = others.length === 0 ? [] : [`The same are the options of ${same}.\n`];
    const holder = holderOf(root, name, others);
    const meaning = holder === undefined ? [] : [`${holder}\n`];
    return [`${heading}\n`, ...meaning, ...also, ...rowsOf(root, name), ''];
  });
}

/** What the one option means that holds a table alone; it needs no row of its own. */
function holderOf(root: JsonSchema, table: string, others: readonly string[]): string | undefined {
  if (others.length > 0) return undefined;
  for (const [name, { properties = {} }] of Object.entries(root.$defs ?? {})) {
    const option = Object.keys(properties).find((one) => heldBy(properties[one]) === table);
    if (option === undefined) continue;
    const off = properties[option]?.anyOf === undefined ? '' : ' `false` switches it off.';
    return `${docOf(name, option)?.text}${off}`;
  }
  return undefined;
}

/** The table that an option holds itself, or `false` in its place. */
function heldBy(schema: JsonSchema = {}): string | undefined {
  const { $ref } = schema.anyOf?.find((one) => one.$ref !== undefined) ?? schema;
  return $ref?.replace('#/$defs/', '');
}

function rowsOf(root: JsonSchema, name: string): string[] {
  const { properties = {}, required = [] } = root.$defs?.[name] ?? {};
  const places = placesIn(root);
  const hasSection = (option: string): boolean =>
    places.get(heldBy(properties[option]) ?? '')?.length === 1;
  const options = Object.keys(properties).filter((option) => !hasSection(option));
  // Options that mean the same, such as the limits of each user and of each team, share a row.
  const rows = new Map<string, string[]>();
  for (const option of options) {
    const doc = docOf(name, option);
    const value = rangeOf(name, option) ?? shape(option, properties[option] ?? {});
    const fallback = required.includes(option) ? 'required' : shownDefault(doc?.defaultValue);
    const row = `${doc?.text} | ${value}${fallback === '–' ? '' : `; ${fallback}`}`;
    rows.set(row, [...(rows.get(row) ?? []), `\`${option}\``]);
  }
  return [
    '| Option | Meaning | Value; default |\n|---|---|---|',
    ...[...rows].map(([row, names]) => `| ${names.join(', ')} | ${row} |`),
  ];
}

/** The table that an option holds, alone, in a list or by names. */
function tableIn(path: string, schema: JsonSchema): readonly [string, string] | undefined {
  if (schema.$ref !== undefined) return [path, schema.$ref.replace('#/$defs/', '')];
  if (schema.items !== undefined) return tableIn(`${path}[]`, schema.items);
  if (schema.additionalProperties) return tableIn(`${path}.<name>`, schema.additionalProperties);
  return schema.anyOf?.map((one) => tableIn(path, one)).find(Boolean);
}

/** Which numbers can be written. */
function rangeOf(table: string, option: string): string | undefined {
  const spec = specOf(table, option);
  if (spec?.type !== 'integer' && spec?.type !== 'number') return undefined;
  const unit = spec.type === 'integer' || option.includes('Usd') ? '' : 'number ';
  return spec.max === undefined ? `${unit}from ${spec.min}` : `${unit}${spec.min} to ${spec.max}`;
}

/** What can be written where it is no number. */
function shape(option: string, schema: JsonSchema): string {
  const { $ref, type, items, anyOf, enum: values, const: only } = schema;
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (only !== undefined) return `\`${only}\``;
  if ($ref !== undefined) return 'table';
  if (anyOf !== undefined) return anyOf.map((one) => shape(option, one)).join(', or ');
  if (items !== undefined) return items.$ref === undefined ? 'list of texts' : 'list of tables';
  if (type === 'object') return 'table';
  if (type === 'boolean') return '`true` or `false`';
  return 'text';
}

function shownDefault(value: string | undefined): string {
  if (value === undefined) return '–';
  return /^[\w'.]+$/.test(value) ? `\`${value}\`` : value;
}
