import { testTakeOver } from './take-over.ts';

testTakeOver(20);
