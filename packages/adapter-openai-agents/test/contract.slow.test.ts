import { testContract } from './support/test-contract.ts';

testContract([
  ['0.20', 'run'],
  ['0.5', 'run'],
  ['0.5', 'stream'],
]);
