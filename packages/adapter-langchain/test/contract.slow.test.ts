import { testContract } from './support/test-contract.ts';

testContract([
  ['createAgent', 'stream'],
  ['createReactAgent', 'invoke'],
]);
