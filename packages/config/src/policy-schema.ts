import { PRESETS } from '@teamfuse/core';
import type { Preset } from '@teamfuse/core/kit';
import { BREAKER_OPTIONS } from '@teamfuse/core/options';
import { z } from 'zod';
import { oneOf, table } from './fields.ts';
import { breakerOptions, purse } from './option-schema.ts';
import type { GatewayPolicy, PolicyOptions } from './policy.ts';

/** The top level of a file, or a team in it. */
export interface Section extends PolicyOptions {
  /** The options that everything else lies on. */
  readonly preset?: Preset;
  /** What is said of single agents. */
  readonly agents?: Readonly<Record<string, AgentSection>>;
}

interface AgentSection {
  readonly budget?: NonNullable<PolicyOptions['budget']>['perAgent'];
}

/** A whole file: the options of all teams, and what differs for one team or one agent. */
export interface PolicyFile extends Section {
  readonly teams?: Readonly<Record<string, Section>>;
  /** What a gateway has to know. */
  readonly gateway?: GatewayPolicy;
}

const agent = table('AgentPolicy', { budget: purse.exactOptional() });
const section = {
  preset: oneOf(Object.keys(PRESETS)).exactOptional(),
  ...breakerOptions,
  agents: z.record(z.string(), agent, { error: 'a table of agents' }).exactOptional(),
};
/** What a key may be called: its fingerprint, or the environment variable that holds it. A key itself is neither. */
const KEY_NAME = /^(?:[0-9a-f]{12,64}|[A-Z_][A-Z0-9_]*)$/;
const NOT_A_KEY =
  'the first 12 to 64 digits of the SHA-256 of a key, or the environment variable that holds it, with the name of a team';
const STORE = 'redis://…, postgres://…, or the path of a file';
const BOUND = 'a whole number from 1';
const bound = () => z.int({ error: BOUND }).min(1, { error: BOUND }).exactOptional();
const bounds = table('GatewayBounds', {
  maxBytes: bound(),
  maxMessages: bound(),
  maxParts: bound(),
  maxDepth: bound(),
});
const gateway = table('GatewayPolicy', {
  // No schema of its own for each key: an error would show it.
  keys: z
    .record(z.string(), z.unknown(), { error: NOT_A_KEY })
    .refine(areOfKeys, { error: NOT_A_KEY })
    .exactOptional(),
  store: z.string({ error: STORE }).min(1, { error: STORE }).exactOptional(),
  bounds: bounds.exactOptional(),
});

function areOfKeys(given: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.entries(given);
  return entries.every(([name, team]) => KEY_NAME.test(name) && typeof team === 'string');
}

const team = table('TeamPolicy', section, BREAKER_OPTIONS);

/** The core tables say what it holds, so that its type is theirs. */
export const policySchema: z.ZodType<PolicyFile> = table(
  'PolicyFile',
  {
    ...section,
    teams: z.record(z.string(), team, { error: 'a table of teams' }).exactOptional(),
    gateway: gateway.exactOptional(),
  },
  BREAKER_OPTIONS,
) as unknown as z.ZodType<PolicyFile>;
