import { testStops } from '../support/stop-anywhere.ts';

testStops(1);
