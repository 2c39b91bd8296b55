import { z } from 'zod';
import { table } from './fields.ts';
import { breakerOptions } from './option-schema.ts';

const team = table('TeamPolicy', breakerOptions);

/** A whole file: the options of all teams, and what differs for one. */
export const policySchema = table('PolicyFile', {
  ...breakerOptions,
  teams: z.record(z.string(), team, { error: 'a table of teams' }).exactOptional(),
});
