import { testContract } from './support/test-contract.ts';

testContract([
  ['stream', 'v3'],
  ['generate', 'v2'],
  ['stream', 'v2'],
]);
