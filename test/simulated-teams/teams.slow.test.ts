import { it } from 'vitest';
import { keepPromises } from '../../packages/core/test/simulation/promises.ts';
import { playTeams } from './play-teams.ts';

/** A step of a team takes as long as several of a bare conversation. */
it('[HOUSE16] guarded teams of both generations keep every promise, in 20,000 steps', () =>
  keepPromises(1, 20_000, playTeams));
