import { PRESETS } from '@teamfuse/core';
import { type AnyTable, BREAKER_OPTIONS } from '@teamfuse/core/kit';
import { docOf, type JsonSchema, policyJsonSchema, specOf } from './json-schema.ts';

const HEAD = `# Options

All options of a breaker, in code (\`new Breaker({ maxMessages: 60 })\`) and in a [\`teamfuse.toml\`](../packages/config). The names are the same in
both. In a file, durations may have units (\`cooldownMs = "15m"\`) and money its sign (\`maxUsd = "$6"\`).

\`npm run docs\` writes this page from the tables of the options in core and their comments.
`;

const WHICH = `## Which option for what

A detector goes by what is new, and its own numbers are estimates: what it only suspects is put to the judge, if there is one. A limit that you set is declared: it
stops the team unasked. Those that count nothing else, such as \`maxMessages\`, wait for \`reset()\`.

| What should stop the team | Option | In place of |
|---|---|---|
| the same failure again and again | \`executionStorm.limit\` | \`executionStorm.sameErrorLimit\` |
| so many failures in a row, whatever they are | \`executionStorm.maxInARow\` | \`maxFailuresInARow\` |
| retries without a pause, and steps that are refused | \`rate.limit\`, \`rate.refusals\` | |
| prompts or messages that grow by so much | \`historyDrift.ratio\` | \`historyDrift.maxRatio\`, \`maxHistoryRatio\` |
| a history of so many tokens | \`historyDrift.maxTokens\` | \`maxHistoryTokens\` |
| so many turns of one pair that change nothing | \`speakerCycle.limit\` | \`samePair.withoutNews\` |
| so many nested chats that change nothing | \`nestedCascade.limit\` | |
| so many turns of one pair, whatever they say | \`speakerCycle.samePair\` | \`samePair\` |
`;

/** The options that each preset stands for. */
function presets(): string {
  const rows = Object.entries(PRESETS).flatMap(([name, options]) =>
    leaves('', options).map(([option, value]) => `| \`${name}\` | \`${option}\` | \`${value}\` |`),
  );
  const head = '| Preset | Option | Value |\n|---|---|---|';
  const text = `## Presets

\`preset = "classic"\` in a file, \`new Breaker({ ...PRESETS.classic })\` in code. A budget in dollars needs [prices](guides/budgets.md).
`;
  return [text, head, ...rows, ''].join('\n');
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
    WHICH,
    presets(),
    ...sections('', 'PolicyFile', schema.$defs?.PolicyFile ?? {}, schema),
    '## Only in code\n',
    '| Option | Meaning | Default |\n|---|---|---|',
    ...codeOnlyIn('', 'BreakerOptions', BREAKER_OPTIONS),
    '',
  ].join('\n');
}

/** The section of a table, and those of the tables in it. */
function sections(path: string, name: string, table: JsonSchema, root: JsonSchema): string[] {
  const { properties = {}, required = [] } = table;
  const rows = Object.keys(properties).map((option) => {
    const doc = docOf(name, option);
    const fallback = required.includes(option) ? 'required' : shownDefault(doc?.defaultValue);
    const value = rangeOf(name, option) ?? shape(option, properties[option] ?? {});
    return `| \`${option}\` | ${doc?.text} | ${value} | ${fallback} |`;
  });
  const heading = path === '' ? '## For all teams' : `## \`${path}\``;
  const head = '| Option | Meaning | Value | Default |\n|---|---|---|---|';
  const inner = Object.entries(properties)
    .filter(([option]) => option !== 'teams')
    .flatMap(([option, schema]) => {
      const found = tableIn(`${path === '' ? '' : `${path}.`}${option}`, schema);
      if (found === undefined) return [];
      const [at, definition] = found;
      return sections(at, definition, root.$defs?.[definition] ?? {}, root);
    });
  return [`${heading}\n`, head, ...rows, '', ...inner];
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
  const unit = UNITS.find(([end]) => option.endsWith(end))?.[1];
  const number = unit ?? (spec.type === 'integer' ? 'whole number' : 'number');
  return spec.max === undefined
    ? `${number}, at least ${spec.min}`
    : `${number}, ${spec.min} to ${spec.max}`;
}

const UNITS = [
  ['Ms', 'milliseconds, or a duration'],
  ['Usd', 'US dollars'],
  ['UsdPerMillion', 'US dollars'],
  ['Tokens', 'tokens'],
] as const;

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
