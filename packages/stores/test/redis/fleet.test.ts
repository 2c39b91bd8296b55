import { CALL_BY_CALL, inSmall } from '../../../../test/fleet/fleets.ts';
import { testFleets } from './support/test-fleets.ts';

testFleets([inSmall(CALL_BY_CALL)]);
