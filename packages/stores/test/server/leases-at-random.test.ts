import { testLeases } from '../support/test-leases.ts';

testLeases([1, 2, 3]);
