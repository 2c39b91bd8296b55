import { z } from 'zod';
import { table } from './fields.ts';
import { breakerOptions, purse } from './option-schema.ts';

const agent = table('AgentPolicy', { budget: purse.exactOptional() });
const section = {
  ...breakerOptions,
  agents: z.record(z.string(), agent, { error: 'a table of agents' }).exactOptional(),
};
const team = table('TeamPolicy', section);

/** A whole file: the options of all teams, and what differs for one team or one agent. */
export const policySchema = table('PolicyFile', {
  ...section,
  teams: z.record(z.string(), team, { error: 'a table of teams' }).exactOptional(),
});

/** The top level of a file, or a team in it. */
export type Section = z.output<typeof team>;
