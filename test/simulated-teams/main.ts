export { play } from '../../packages/core/test/simulation/play.ts';
export { simulate, tell } from '../../packages/core/test/simulation/simulate.ts';
export { playFleets } from '../simulated-fleets/play-fleets.ts';
export { playTeams } from './play-teams.ts';
