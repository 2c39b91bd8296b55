import { CALLS, testFleets } from './support/test-fleets.ts';

testFleets([{ how: 'call by call', budget: 'fleet', calls: CALLS, isLeasing: false }]);
