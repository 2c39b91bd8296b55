/** What limits may be of: the options of each of them, and of single ones by name. The names stand in the request of a model call. */
export const OWNERS = [
  { owner: 'agent', each: 'perAgent', single: 'agents' },
  { owner: 'model', each: 'perModel', single: 'models' },
  { owner: 'user', each: 'perUser', single: 'users' },
  { owner: 'team', each: 'perTeam', single: 'teams' },
  { owner: 'key', each: 'perKey', single: 'keys' },
] as const;
