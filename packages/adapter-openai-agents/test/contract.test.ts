import { testContract } from './support/test-contract.ts';

testContract([['0.20', 'stream']]);
