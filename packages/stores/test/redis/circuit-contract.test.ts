import { testCircuitContract } from './support/test-circuit-contract.ts';

testCircuitContract(['ioredis 6']);
