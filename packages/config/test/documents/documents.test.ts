import { fileURLToPath } from 'node:url';
import { BREAKER_OPTIONS } from '@teamfuse/core/options';
import { parse } from 'smol-toml';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { docOf, literal, policyJsonSchema, TABLES } from './json-schema.ts';
import { optionPage } from './option-page.ts';

/** `npm run docs` writes what these tests compare. */
function file(path: string): string {
  return fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
}

describe('the documents of the options', () => {
  it('[POL14] hold all options of a breaker that are data, and no others', () => {
    const { PolicyFile, TeamPolicy } = policyJsonSchema().$defs ?? {};
    const inCode = ['models', 'redact', 'circuits', 'detectors', 'now', 'timers'];
    const data = Object.keys(BREAKER_OPTIONS).filter((name) => !inCode.includes(name));
    const ofTeam = ['preset', ...data, 'agents'];
    expect(Object.keys(TeamPolicy?.properties ?? {})).toEqual(ofTeam);
    expect(Object.keys(PolicyFile?.properties ?? {})).toEqual([...ofTeam, 'teams', 'gateway']);
  });

  it('[POL15] publish a JSON Schema that is up to date', async () => {
    const text = `${JSON.stringify(policyJsonSchema(), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(file('packages/config/teamfuse.schema.json'));
  });

  it.each([
    'cooldownMs = "15m"',
    '[teams.a.agents.b.budget]\nmaxUsd = "$6"',
    'rate = false',
    'judge = true\nteams.a.judge = "gpt-4o-mini"',
    'preset = "classic"',
    '[prices.my-llama]\ninputUsdPerMillion = "$0.20"\noutputUsdPerMillion = 0.6',
  ])('[POL15] publish a JSON Schema that takes %j', (text) => {
    const schema = z.fromJSONSchema(policyJsonSchema() as z.core.JSONSchema.JSONSchema);
    expect(schema.safeParse(parse(text)).success).toBe(true);
  });

  it.each([
    'cooldown = "15m"',
    'budget.maxUsd = "6"',
    'rate = true',
    'teams.a.maxTurn = 1',
    'judge = ""',
    'maxTurns = 0',
    'preset = "modern"',
  ])('[POL15] publish a JSON Schema that refuses %j', (text) => {
    const schema = z.fromJSONSchema(policyJsonSchema() as z.core.JSONSchema.JSONSchema);
    expect(schema.safeParse(parse(text)).success).toBe(false);
  });

  it('[POL16] name the defaults that hold', () => {
    const wrong = [...TABLES].flatMap(([table, options]) =>
      Object.entries(options)
        .filter(([name, spec]) => {
          const text = docOf(table, name)?.defaultValue;
          return literal(text) !== spec.default;
        })
        .map(([name]) => `${table}.${name}`),
    );
    expect(wrong).toEqual([]);
  });

  it('[POL16] list every option with its meaning, value and default', async () => {
    await expect(optionPage()).toMatchFileSnapshot(file('docs/options.md'));
  });
});
