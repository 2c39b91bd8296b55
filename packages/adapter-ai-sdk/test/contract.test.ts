import { testContract } from './support/test-contract.ts';

testContract([['ai 7', 'stream']]);
