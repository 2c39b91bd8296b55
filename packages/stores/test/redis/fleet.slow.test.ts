import { CALL_BY_CALL, WITH_LEASES } from '../../../../test/fleet/fleets.ts';
import { testFleets } from './support/test-fleets.ts';

testFleets([CALL_BY_CALL, WITH_LEASES]);
