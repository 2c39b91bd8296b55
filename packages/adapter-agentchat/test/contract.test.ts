import { testContract } from './support/test-contract.ts';

testContract('streamed');
