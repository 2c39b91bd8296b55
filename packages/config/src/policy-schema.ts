import { PRESETS } from '@teamfuse/core';
import type { Preset } from '@teamfuse/core/kit';
import { z } from 'zod';
import { oneOf, table } from './fields.ts';
import { breakerOptions, purse } from './option-schema.ts';
import type { PolicyOptions } from './policy.ts';

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
}

const agent = table('AgentPolicy', { budget: purse.exactOptional() });
const section = {
  preset: oneOf(Object.keys(PRESETS)).exactOptional(),
  ...breakerOptions,
  agents: z.record(z.string(), agent, { error: 'a table of agents' }).exactOptional(),
};
const team = table('TeamPolicy', section);

/** The core tables say what it holds, so that its type is theirs. */
export const policySchema: z.ZodType<PolicyFile> = table('PolicyFile', {
  ...section,
  teams: z.record(z.string(), team, { error: 'a table of teams' }).exactOptional(),
}) as unknown as z.ZodType<PolicyFile>;
