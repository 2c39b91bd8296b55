import { CALLS, testFleets } from './support/test-fleets.ts';

// Calls from leases are so fast that more of them are needed to meet every disturbance.
testFleets([{ how: 'with leases', budget: 'leasing fleet', calls: 6 * CALLS, isLeasing: true }]);
