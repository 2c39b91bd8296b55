import { testTraffic } from './support/hostile.ts';

testTraffic(300);
