import { testContract } from './support/test-contract.ts';

testContract([
  { name: 'redis 6', lease: false },
  { name: 'ioredis 6', lease: false },
  { name: 'ioredis 6', lease: true },
  { name: 'ioredis 5', lease: false },
  { name: 'ioredis 5', lease: true },
]);
