import { testContract } from './support/test-contract.ts';

testContract([['generate', 'v3']]);
