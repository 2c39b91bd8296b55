import { testContract } from './support/test-contract.ts';

testContract('caller');
