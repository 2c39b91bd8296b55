import { inSmall, WITH_LEASES } from '../../../../test/fleet/fleets.ts';
import { testFleets } from './support/test-fleets.ts';

testFleets([inSmall(WITH_LEASES)]);
