import { testCircuitContract } from './support/test-circuit-contract.ts';

testCircuitContract(['redis 6', 'ioredis 5']);
