import { testContract } from './support/test-contract.ts';

testContract([
  ['ai 7', 'generate'],
  ['ai 6', 'generate'],
  ['ai 6', 'stream'],
]);
