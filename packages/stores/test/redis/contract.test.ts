import { testContract } from './support/test-contract.ts';

testContract([{ name: 'redis 6', lease: true }]);
