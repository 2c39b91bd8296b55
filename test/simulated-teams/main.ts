export { play } from '../../packages/core/test/simulation/play.ts';
export { simulate, tell } from '../../packages/core/test/simulation/simulate.ts';
export { playTeams } from './play-teams.ts';
